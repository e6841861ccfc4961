/** A small plot of lines as SVG: a logarithmic axis of counts below, a linear one beside. */

export interface Line {
  readonly name: string;
  readonly values: readonly number[];
  readonly colour: string;
  readonly width: number;
  /** Lengths of dashes and gaps; empty for a solid line. */
  readonly dashes: string;
}

export interface LinePlot {
  readonly title: string;
  /** What is counted, at each value of the lines. */
  readonly below: { readonly name: string; readonly values: readonly number[] };
  readonly beside: {
    readonly name: string;
    readonly max: number;
    readonly step: number;
    /** Behind each number; may be empty. */
    readonly unit: string;
  };
  readonly lines: readonly Line[];
  /** Where the lines are named: at the bottom if this is left out. */
  readonly isNamedAbove?: boolean;
}

const WIDTH = 640;
const HEIGHT = 400;
const LEFT = 56;
const RIGHT = 16;
const TOP = 32;
const BOTTOM = 48;

export function linePlot(plot: LinePlot): string {
  const { title, below, beside, lines } = plot;
  const [first = 1, last = 1] = [below.values[0], below.values.at(-1)];
  const xOf = (value: number): number =>
    LEFT + ((WIDTH - LEFT - RIGHT) * Math.log(value / first)) / Math.log(last / first);
  const yOf = (value: number): number =>
    HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * value) / beside.max;
  const middle = (LEFT + WIDTH - RIGHT) / 2;
  const heights = Array.from({ length: beside.max / beside.step + 1 }, (_, at) => at * beside.step);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="11">`,
    `<title>${title}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    text(middle, 18, title, 'font-size="13" text-anchor="middle"'),
    text(middle, HEIGHT - 8, below.name, 'text-anchor="middle"'),
    text(
      14,
      HEIGHT / 2,
      beside.name,
      `text-anchor="middle" transform="rotate(-90 14 ${HEIGHT / 2})"`,
    ),
    ...heights.flatMap((value) => [
      `<path d="M${LEFT} ${round(yOf(value))}H${WIDTH - RIGHT}" stroke="#ddd"/>`,
      text(LEFT - 6, yOf(value) + 4, `${value}${beside.unit}`, 'text-anchor="end"'),
    ]),
    ...below.values.map((value) =>
      text(xOf(value), HEIGHT - BOTTOM + 18, String(value), 'text-anchor="middle"'),
    ),
    ...lines.map(({ values, colour, width, dashes }) => {
      const points = values.map((value, at) => {
        return `${round(xOf(below.values[at] ?? first))},${round(yOf(value))}`;
      });
      const dashed = dashes === "" ? "" : ` stroke-dasharray="${dashes}"`;
      return `<polyline points="${points.join(" ")}" fill="none" stroke="${colour}" stroke-width="${width}"${dashed}/>`;
    }),
    ...lines.flatMap(({ name, colour, width, dashes }, at) => {
      const lowest = plot.isNamedAbove === true ? TOP + 16 * lines.length : HEIGHT - BOTTOM - 12;
      const y = lowest - 16 * (lines.length - 1 - at);
      const dashed = dashes === "" ? "" : ` stroke-dasharray="${dashes}"`;
      return [
        `<path d="M${LEFT + 12} ${y}h32" stroke="${colour}" stroke-width="${width}"${dashed}/>`,
        text(LEFT + 52, y + 4, name, ""),
      ];
    }),
    "</svg>\n",
  ].join("\n");
}

function text(x: number, y: number, words: string, attributes: string): string {
  const shown = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="${round(x)}" y="${round(y)}"${attributes === "" ? "" : ` ${attributes}`}>${shown}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
