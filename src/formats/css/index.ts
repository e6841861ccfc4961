/**
 * CSS: which URLs a style sheet needs, and nothing else. `cssUrls` finds them in the bytes of a
 * sheet, of a `<style>` element or of a `style` attribute. The caller resolves them: those of a
 * sheet against the URL of the sheet, the others against the base of the page.
 *
 * Read `css-urls.ts` first.
 */
export { cssUrls } from "./css-urls.ts";
