/**
 * Text for the second generator of page families: sentences of a small grammar over real words, in
 * three languages. There are only some hundred words to each, so that different texts share nearly
 * all of them and differ by how they are put together; one language writes no spaces.
 */
import type { Random } from "../../../../src/base/seams/index.ts";

export type Slot = "N" | "V" | "A" | "P" | "W" | "T";

export interface Language {
  readonly code: "en" | "es" | "zh";
  readonly slots: Readonly<Record<Slot, readonly string[]>>;
  readonly patterns: readonly string[];
  readonly gap: string;
  /** What a site says around its pages: prompts, labels, promotions, remarks. */
  readonly prompts: readonly string[];
}

const ENGLISH: Language = {
  code: "en",
  gap: " ",
  slots: {
    N: words(
      "river bridge harbour council engine museum garden teacher market valley station library farmer painter railway forest hospital theatre village orchestra factory glacier island mayor committee harvest lantern kitchen workshop vessel archive border castle desert emperor festival gallery horizon industry journal kingdom landscape machine network observatory parliament quarry reservoir sculpture telescope university vineyard windmill budget campaign dispute election findings grant inquiry licence",
    ),
    V: words(
      "opened closed repaired visited described measured painted replaced abandoned restored examined followed crossed reached supported questioned delayed announced produced collected discovered protected divided joined received rejected approved extended observed completed",
    ),
    A: words(
      "old new quiet famous narrow northern southern wooden local former early broken distant regional empty modern ancient public private heavy gentle bitter rapid official unusual careful annual temporary remote wealthy",
    ),
    P: words(
      "Lisbon Tromso Verona Quito Nairobi Osaka Leeds Malmo Tartu Cadiz Bergen Halifax Perth Salta Kerala Utrecht Gdansk Lyon Porto Cork",
    ),
    W: words(
      "Amara Bogdan Celine Dmitri Elena Farid Greta Hassan Ingrid Jonas Keiko Lorenzo Mirela Nils Oriol Petra Quentin Rosa Stefan Tamar",
    ),
    T: [
      "last winter",
      "in the spring",
      "after the war",
      "for many years",
      "on several occasions",
      "without warning",
      "at the same time",
      "by the end of the decade",
      "with little success",
      "as it was expected",
    ],
  },
  patterns: [
    "The A N of P V the N.",
    "W V a A N near the N.",
    "T the N V the A N.",
    "W and W V the N of the A N, and the N V it T.",
    "According to W, the A N V every N in P.",
    "It was W who V the N when the A N of P was V.",
    "The N, which W V T, has V the A N of the N.",
    "No A N was V before W V the N.",
    "While the N V the N, the A N of P V T.",
    "In P the N is A, but W V it.",
  ],
  prompts: [
    "Subscribe to our newsletter",
    "Share this page with friends",
    "Follow us",
    "Sign in to leave a comment",
    "Download the app today",
    "Your basket is empty",
    "Print",
    "Send by mail",
    "Back to top",
    "Choose your language",
  ],
};

const SPANISH: Language = {
  code: "es",
  gap: " ",
  slots: {
    N: words(
      "río puente barrio consejo motor museo jardín maestro mercado valle tren libro campo pintor bosque hospital teatro pueblo coro taller barco archivo muro castillo desierto rey festival cuadro cielo puerto diario reino paisaje aparato templo parlamento lago canal huerto molino presupuesto debate acuerdo premio informe permiso",
    ),
    V: words(
      "abrió cerró reparó visitó describió midió pintó cambió dejó restauró examinó siguió cruzó alcanzó apoyó retrasó anunció produjo reunió descubrió protegió dividió recibió rechazó aprobó amplió observó terminó",
    ),
    A: words(
      "viejo nuevo tranquilo famoso estrecho lejano pequeño antiguo local roto moderno público privado pesado amargo rápido oficial extraño anual remoto rico último",
    ),
    P: words("Sevilla Bogotá Lima Cuzco Vigo Murcia Quito Rosario Oaxaca Cádiz Toledo Bilbao"),
    W: words("Ana Luis Marta Jorge Elena Pablo Inés Diego Carmen Raúl Lucía Andrés"),
    T: [
      "el invierno pasado",
      "después de la guerra",
      "durante muchos años",
      "sin aviso",
      "al mismo tiempo",
      "con poco éxito",
      "como se esperaba",
    ],
  },
  patterns: [
    "El N A de P V el N.",
    "W V un N A cerca del N.",
    "T el N V el N A.",
    "W y W V el N del N A, y el N lo V T.",
    "Según W, el N A V cada N de P.",
    "Fue W quien V el N cuando el N A de P ya era A.",
    "En P el N es A, pero W lo V T.",
  ],
  prompts: [
    "Suscríbase a nuestro boletín",
    "Compartir",
    "Síganos",
    "Entre para comentar",
    "Su cesta está vacía",
    "Imprimir",
    "Volver arriba",
  ],
};

const CHINESE: Language = {
  code: "zh",
  gap: "",
  slots: {
    N: words(
      "河流 大桥 港口 议会 发动机 博物馆 花园 老师 市场 山谷 车站 图书馆 农民 画家 铁路 森林 医院 剧院 村庄 乐团 工厂 冰川 岛屿 市长 委员会 灯笼 厨房 船只 档案 边境 城堡 沙漠 皇帝 节日 报告 预算 选举 协议 奖项 许可证",
    ),
    V: words(
      "打开 关闭 修理 访问 描述 测量 更换 放弃 恢复 检查 跟随 穿过 到达 支持 质疑 推迟 宣布 生产 收集 发现 保护 划分 加入 收到 拒绝 批准 扩大 观察 完成",
    ),
    A: words(
      "古老的 新的 安静的 著名的 狭窄的 北方的 南方的 木制的 当地的 早期的 破碎的 遥远的 现代的 公共的 私人的 沉重的 快速的 官方的 年度的 临时的",
    ),
    P: words("北京 成都 昆明 大连 苏州 厦门 拉萨 青岛 桂林 西安"),
    W: words("王芳 李明 张伟 刘洋 陈静 杨勇 赵磊 黄丽 周涛 吴敏"),
    T: words("去年冬天 在春天 战争之后 多年以来 同时 毫无预警 在年底之前"),
  },
  patterns: [
    "P的A N V了N。",
    "W在N附近V了一个A N。",
    "T，N V了A N。",
    "W和W V了A N的N，N T V了它。",
    "据W说，A N V了P的每个N。",
    "在P，N是A，但是W V了它。",
  ],
  prompts: words("订阅我们的通讯 分享本页 关注我们 登录后发表评论 打印 返回顶部 下载应用"),
};

export const LANGUAGES: readonly Language[] = [ENGLISH, ENGLISH, ENGLISH, SPANISH, CHINESE];

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.below(items.length)] as Item;
}

/** A pattern with its slots filled; slots stand alone between other signs. */
export function fill(random: Random, language: Language, pattern: string): string {
  const filled = pattern.replace(/(?<![A-Za-z])[NVAPWT](?![a-z])/g, (slot) =>
    pick(random, language.slots[slot as Slot]),
  );
  return (language.gap === "" ? filled.replaceAll(" ", "") : filled).replace(/^\p{Ll}/u, (letter) =>
    letter.toUpperCase(),
  );
}

export function sentence(random: Random, language: Language): string {
  return fill(random, language, pick(random, language.patterns));
}

export function sentences(random: Random, language: Language, count: number): string {
  return Array.from({ length: count }, () => sentence(random, language)).join(language.gap);
}

/** A heading or the text of a link: two to five words. */
export function label(random: Random, language: Language): string {
  const { A, N, P, W } = language.slots;
  const one = `${pick(random, A)}${language.gap}${pick(random, N)}`;
  switch (random.below(4)) {
    case 0:
      return one;
    case 1:
      return `${pick(random, P)}: ${one}`;
    case 2:
      return `${pick(random, W)} ${pick(random, N)}`;
    default:
      return `${pick(random, N)}, ${pick(random, N)}, ${one}`;
  }
}

/** Another word for one that fills a slot; the same where none is known. */
export function otherWord(random: Random, language: Language, word: string): string {
  const slot = Object.values(language.slots).find((fillers) => fillers.includes(word));
  return slot === undefined ? word : pick(random, slot);
}

function words(text: string): readonly string[] {
  return text.split(" ");
}
