import { html } from '@casewatch/platform';
import type { Board } from './board.ts';
import { drawPanel } from './draw-panel.ts';
import type { Range, Series } from './query-panel.ts';

/** Grafana's grid: 24 columns, rows of 30 px with gaps of 8 px. */
const columns = 24;
const rowHeight = 38;
const columnWidth = 52;
export const boardWidth = columns * columnWidth + 16;

const style = `body { margin: 8px; font: 13px sans-serif; color: #222; background: #f4f5f5 } h1 { font-size: 18px; margin: 0 0 8px }
main { position: relative } section { position: absolute; box-sizing: border-box; background: #fff; border: 1px solid #ddd; padding: 6px 8px; overflow: hidden }
h2 { font-size: 14px; margin: 0 0 4px } small { font-weight: normal; font-size: 12px; color: #555 } p { flex: 1; margin: 90px 0; text-align: center; color: #777 }
div { display: flex } ul { margin: 0; padding: 0; list-style: none; flex: 1; font-size: 11px; line-height: 14px } li { display: flex } b { margin-left: auto; padding-left: 4px; white-space: nowrap } i { flex: none; width: 12px; height: 3px; margin: 6px 4px 0 0 }
svg { display: block } line { stroke: #e4e5e5 } text { font-size: 11px; fill: #555 } polyline { fill: none; stroke-width: 1.5 }`;

/** Pixels of a panel on the page. */
export function boxOf({ x, y, w, h }: Board['panels'][number]['gridPos']) {
  return { left: x * columnWidth, top: y * rowHeight, width: w * columnWidth - 8, height: h * rowHeight - 8 };
}

/** A page with the panels of a board at their places. `series`: the lines of each panel, in its order. */
export function drawBoard(
  board: Board,
  { series, range }: { series: readonly (readonly Series[])[]; range: Range },
): string {
  const boxes = board.panels.map(({ gridPos }) => boxOf(gridPos));
  const height = Math.max(...boxes.map((box) => box.top + box.height));
  const panels = board.panels.map((panel, index) => {
    const box = boxOf(panel.gridPos);
    const lines = series[index] ?? [];
    const place = `left:${box.left}px;top:${box.top}px;width:${box.width}px;height:${box.height}px`;
    // The legend stands at the right.
    const size = { width: box.width - 240, height: box.height - 40 };
    return html`<section style="${place}">${drawPanel({ panel, series: lines, range }, size)}</section>`;
  });
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${board.title}</title><style>${style}</style></head><body><h1>${board.title}</h1><main style="height:${height}px">${panels}</main></body></html>`
    .html;
}
