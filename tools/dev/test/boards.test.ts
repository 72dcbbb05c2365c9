import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { mayBeEmpty, readBoards } from '../src/boards/board.ts';
import { boardWidth, boxOf, drawBoard } from '../src/boards/draw-board.ts';
import { legendOf } from '../src/boards/legend.ts';
import { panelsWithoutData } from '../src/boards/record-series.ts';
import { scrapeConfig } from '../src/boards/scrape-config.ts';
import { ticksOf } from '../src/boards/ticks.ts';
import { withUnit } from '../src/boards/units.ts';

const boards = readBoards();
const names = ['gateway', 'identity', 'cases', 'monitor', 'notifier', 'webhooks'];
const range = { start: 1_000, end: 1_100, step: 5 };

describe('pictures of the boards', () => {
  it('read boards whose panels stand side by side in the grid', () => {
    expect(boards.map(({ name }) => name).toSorted()).toEqual(['checks', 'events', 'sending', 'services']);
    for (const { panels } of boards)
      for (const [index, { gridPos }] of panels.entries()) {
        const box = boxOf(gridPos);
        expect(box.left + box.width).toBeLessThanOrEqual(boardWidth);
        for (const other of panels.slice(index + 1).map((panel) => boxOf(panel.gridPos)))
          expect(
            box.left + box.width < other.left ||
              other.left + other.width < box.left ||
              box.top + box.height < other.top ||
              other.top + other.height < box.top,
          ).toBe(true);
      }
  });

  it('scrape the services of a system with the committed jobs and rules', () => {
    const urls = Object.fromEntries(
      names.map((name, index) => [name, `http://127.0.0.1:${5014 + index}/metrics`]),
    );
    expect(parse(scrapeConfig(urls, '5s'))).toMatchObject({
      global: { scrape_interval: '5s' },
      rule_files: [expect.stringMatching(/rules\.yml$/)],
      scrape_configs: [
        {
          job_name: 'casewatch',
          static_configs: names.map((service, index) => ({
            targets: [`127.0.0.1:${5014 + index}`],
            labels: { service },
          })),
        },
      ],
    });
    expect(() => scrapeConfig({}, '5s')).toThrow('The system has no metrics of gateway.');
  });

  it('replace labels in legends', () => {
    expect(legendOf('{{channel}} {{ outcome }}', { channel: 'email', outcome: 'accepted' })).toBe(
      'email accepted',
    );
    expect(legendOf('{{channel}} {{outcome}}', { channel: 'email' })).toBe('email');
  });

  it.each([
    [0, 's', '0'],
    [0.000_25, 's', '250 µs'],
    [0.25, 's', '250 ms'],
    [5_400, 's', '1.5 h'],
    [0.125, 'percentunit', '12.5 %'],
    [3 * 1024 ** 2, 'bytes', '3 MiB'],
    [25_000, 'short', '25 K'],
    [0.2, 'reqps', '0.2 req/s'],
  ])('write %d in the unit %s as %s', (value, unit, text) => {
    expect(withUnit(value, unit)).toBe(text);
  });

  it('has round numbers at the axis, around all values', () => {
    expect(ticksOf(0, 1, 4)).toEqual([0, 0.5, 1]);
    expect(ticksOf(0, 0.0032, 4)).toEqual([0, 0.001, 0.002, 0.003, 0.004]);
    expect(ticksOf(-3, 45, 4)).toEqual([-20, 0, 20, 40, 60]);
  });

  it('draw each line, and name each panel without data that should have some', () => {
    const [board] = boards;
    if (!board) throw new Error('There is no board.');
    const [first, second, ...others] = board.panels.filter((panel) => !mayBeEmpty(panel));
    if (!first || !second) throw new Error('The board has no two panels.');
    const line = { name: 'a < b', points: [[1_000, 1] as const, [1_100, 2] as const] };
    const shown = { ...board, panels: [first, second, ...others] };
    const series = [[line], [], ...others.map(() => [line])];
    const page = drawBoard(shown, { series, range });
    expect(page.match(/<polyline/g)).toHaveLength(1 + others.length);
    expect(page).toContain('a &lt; b');
    expect(page).toContain('No data');
    expect(panelsWithoutData({ board: shown, series })).toEqual([`${board.title}: ${second.title}`]);
    const excused = { ...second, description: 'No data while nothing fails.' };
    expect(panelsWithoutData({ board: { ...shown, panels: [first, excused] }, series })).toEqual([]);
  });
});
