/**
 * CSS: which URLs a style sheet needs, and nothing else. `cssUrls` finds them in the bytes of a sheet,
 * of a `<style>` element or of a `style` attribute; whoever asks resolves them, a sheet's by the
 * address of the sheet.
 */
export { cssUrls, type TakeUrl } from "./css-urls.ts";
