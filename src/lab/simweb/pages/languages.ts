/**
 * Languages, each with what is needed to make text that looks like it: its commonest words, by which
 * detectors identify it, and the parts from which further words are made. Part lists repeat what is
 * common. The charsets are those in which every character here can be written.
 */
export interface Language {
  readonly code: string;
  readonly common: readonly string[];
  /** A made-up word is one to four times an onset and a nucleus, with a coda at the end. */
  readonly onsets: readonly string[];
  readonly nuclei: readonly string[];
  readonly codas: readonly string[];
  /** What separates words and ends sentences. */
  readonly space: string;
  readonly stop: string;
  /** Besides UTF-8. */
  readonly charsets: readonly string[];
}

function parts(text: string): readonly string[] {
  return text.split(" ").map((part) => (part === "_" ? "" : part));
}

function language(
  code: string,
  charsets: string,
  words: { common: string; onsets: string; nuclei: string; codas: string },
  marks: { space: string; stop: string } = { space: " ", stop: ". " },
): Language {
  return {
    code,
    charsets: parts(charsets),
    common: parts(words.common),
    onsets: parts(words.onsets),
    nuclei: parts(words.nuclei),
    codas: parts(words.codas),
    ...marks,
  };
}

export const ENGLISH: Language = language("en", "windows-1252 iso-8859-15", {
  common:
    "the of and to in is that for it as was with be by on not he his but at are this have from or had an they which one you were all their there been has when who will more no if out so up said what its about into than them can only other new some time could these two may then do first any my now such like our over even most made after also did many before must through years where much your way well down should because each just those people",
  onsets: "b c d f g h l m n p r s t w st tr pl br ch sh th cr pr gr",
  nuclei: "a e i o u a e i o ea ou ai ee oo",
  codas: "_ _ n r l s t d m ng ck nt st ll ss ly tion ment er ing",
});

export const OTHER_LANGUAGES: readonly Language[] = [
  language("de", "windows-1252 iso-8859-15", {
    common:
      "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde sei kann gegen vom können schon wenn habe seine ihre dann unter wir soll ich eines zwei diese dieser",
    onsets: "b d f g h k l m n r s t w z sch st sp br gr kl pf tr kr schl",
    nuclei: "a e i o u ei au ie ö ü ä e e a",
    codas: "_ n r l s t ch ng nd cht rt lich ung heit keit en er st",
  }),
  language("fr", "windows-1252 iso-8859-15", {
    common:
      "de la le et les des en un du une que est pour qui dans par plus pas au sur ne se ce il sont avec son aux cette ses mais comme ou si leur on être fait été même tout nous sa deux ces elle dont lui entre peut sans après aussi ans où très bien était depuis sous avait alors encore contre toujours cela déjà",
    onsets: "b c d f g l m n p r s t v ch tr pl br cr j qu gr pr",
    nuclei: "a e i o u é è ou ai eau oi eu an on in",
    codas: "_ _ _ r l s t ment tion eur eux ence age ille que",
  }),
  language("es", "windows-1252 iso-8859-15", {
    common:
      "de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin sobre este ya entre cuando todo esta ser son dos también fue había era muy años hasta desde está mi porque qué sólo han yo hay vez puede todos así nos ni parte tiene él uno donde bien tiempo mismo ese ahora",
    onsets: "b c d f g l m n p r s t v ll ch tr pr br qu gr ñ",
    nuclei: "a e i o u a e o ie ue ía ó á",
    codas: "_ _ _ n s r l do da ción dad mente ero oso illa",
  }),
  language("hu", "iso-8859-2 windows-1250", {
    common:
      "a az és hogy nem is ez egy volt meg csak de el mint már még ki van ha kell azt be lehet le minden aki után sem majd lesz ezt vagy fel ami azonban pedig nagy két mert más nincs itt sok magyar most amely között szerint úgy ott több ezek csak mindig első igen talán jól való én ő mi ti ők",
    onsets: "b d f g gy h k l m n ny p r s sz t v z zs cs",
    nuclei: "a e i o u á é í ó ö ő ú ü ű a e",
    codas: "_ k t n l r s ság ség ban ben nak nek ok ek val vel hoz",
  }),
  language("pl", "iso-8859-2 windows-1250", {
    common:
      "w i na nie się z do to że jest o jak ale po co tak za od jego już przez tym tylko dla może być ma czy był jej był go te ich ze są być która który bardzo kiedy gdy tego jeszcze także lub nad pod przed oraz sobie nawet teraz więc tu tam jednak bez mnie nas wszystko",
    onsets: "b c d g k l ł m n p r s t w z cz sz rz dz ch prz st kr tr ś ż",
    nuclei: "a e i o u y ą ę ó a e o ie ia",
    codas: "_ _ k n ł m ć ść ski nie ów ach owa cie go my",
  }),
  language("ru", "windows-1251 koi8-r", {
    common:
      "и в не на я быть он с что а по это она этот к но они мы весь который из у то за свой весь год от так о для ты же все тот мочь вы человек такой его сказать только или ещё бы себя один как уже до время если сам когда другой вот говорить наш мой знать стать при чтобы дело жизнь кто первый очень два день",
    onsets: "б в г д ж з к л м н п р с т х ц ч ш ст пр тр кр вл",
    nuclei: "а е и о у ы я ю е о а и",
    codas: "_ _ н л р т к ть ние ость ный ая ого ский ов ть",
  }),
  language("el", "windows-1253 iso-8859-7", {
    common:
      "και το να του η της με που την από για είναι τα στο δεν οι τον των σε ο θα στην ένα τη μια τους στη ότι αλλά αν μας πως μου κι πολύ αυτό όπως όμως ή κατά μετά πρέπει ήταν έχει μπορεί όλα χωρίς μόνο τώρα εδώ εκεί πριν γιατί",
    onsets: "β γ δ ζ θ κ λ μ ν π ρ σ τ φ χ στ πρ τρ κρ",
    nuclei: "α ε η ι ο υ ω ου ει αι ά έ ή ί ό ύ ώ",
    codas: "_ _ ς ν ση μα της ικός ία ται τες ους",
  }),
  language(
    "ja",
    "shift_jis euc-jp",
    {
      common:
        "の に は を た が で て と し れ さ ある いる も する から な こと として や など まで この その ため また",
      onsets:
        "日 本 人 大 年 会 国 中 長 出 三 時 行 見 月 分 後 前 生 五 間 上 東 四 今 金 九 入 学 高 円 子 外 八 六 下 来 気 小 七 山 話 女 北 午 百 書 先 名 川 千 水 半 男 西 電 校 語 土 木 聞 食 車 何 南 万 毎 白 天 母 火 右 読 友 左 休 父 雨",
      nuclei:
        "手 心 力 道 家 店 町 村 市 駅 海 空 花 春 秋 夏 冬 朝 夜 昼 音 楽 歌 映 画 新 古 安 明 暗 強 弱 広 多 少 近 遠 早",
      codas: "_ _ する した して な の る ます でした いた",
    },
    { space: "", stop: "。" },
  ),
  language(
    "zh",
    "gbk gb18030 big5",
    {
      common:
        "的 一 是 不 了 在 人 有 我 他 中 大 上 下 到 以 和 地 出 也 年 能 要 自 多 天 心 好 小 起 看 只 用 道 行 所 然 家 方 成 日 主 面 事 想 知 力 高 十 公 同 工 之 前 走 明 月 水 先 回",
      onsets:
        "山 風 雨 花 木 金 土 火 水 日 月 星 手 足 口 目 耳 心 文 字 天 地 東 西 南 北 左 右 早 晚 春 夏 秋 冬 男 女 老 少 父 母 子 安 定 生 活 正 常",
      nuclei: "人 心 力 方 法 面 地 位 名 言 明 白 光 色 石 林 田 米 高 低 長 短 大 小 多 少",
      codas: "_ _ _ _ 子 人 家 者 力 性",
    },
    { space: "", stop: "。" },
  ),
  language("ko", "euc-kr", {
    common:
      "이 그 저 것 수 등 들 및 에서 있는 하는 그리고 있다 한다 위해 대한 통해 때문에 하지만 또한 우리 모든 같은 많은 다른 지난 오늘 이번 가장 함께 다시 매우 이미 아직",
    onsets:
      "가 나 다 라 마 바 사 아 자 차 카 타 파 하 고 노 도 로 모 보 소 오 조 기 니 디 리 미 비 시 이 지",
    nuclei: "간 난 단 란 만 반 산 안 장 천 한 공 동 농 성 정 명 경 영 학 국 문 민 신",
    codas: "_ 은 는 을 를 에 의 로 과 도 하다 했다",
  }),
];
