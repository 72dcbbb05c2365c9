/** What is used of gifenc, which has no types of its own. */
declare module 'gifenc' {
  type Palette = readonly number[][];
  type Encoder = {
    /** `delay` in ms. The first frame says how often the picture repeats: 0 for ever. */
    writeFrame(
      index: Uint8Array,
      width: number,
      height: number,
      options: { palette: Palette; delay: number; repeat?: number },
    ): void;
    finish(): void;
    bytes(): Uint8Array;
  };
  const gifenc: {
    quantize(rgba: Uint8Array, maxColors: number): Palette;
    applyPalette(rgba: Uint8Array, palette: Palette): Uint8Array;
    GIFEncoder(): Encoder;
  };
  // biome-ignore lint/style/noDefaultExport: a CommonJS module is the default of an import.
  export default gifenc;
}
