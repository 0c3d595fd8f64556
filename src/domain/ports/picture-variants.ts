/** The port to narrower copies of stored pictures: made when they are first asked for, and kept where anything may be lost. */
import type { FileStore } from './file-store.ts';

/** In pixels: few, so that each copy serves many screens. */
export const pictureWidths = [320, 640, 960, 1280, 1920] as const;
export type PictureWidth = (typeof pictureWidths)[number];

/** Whether pages offer a picture of this type in other widths: one of a GIF would often be the moving file again. */
export function hasVariants(mime: string): boolean {
  return /^image\/(jpeg|png|webp|avif)$/.test(mime);
}

/** Formats that readers ask for; `own`: that of the picture. */
export type VariantFormat = 'avif' | 'webp' | 'own';

export interface PictureVariant {
  mime: string;
  bytes: Uint8Array;
}

export interface PictureVariants {
  /**
   * The picture at this width, first frame, EXIF orientation applied, metadata stripped. Undefined where the file itself is the
   * answer: it is no picture that can be read, is not whole, is no wider, moves, exceeds the pixel cap, or its own format is not written
   * here. What is asked for several times at once is made once. Refuses `unavailable` while too many wait.
   */
  narrow(
    store: FileStore,
    file: { hash: string; mime: string; sizeBytes: number | undefined },
    width: PictureWidth,
    format: VariantFormat,
  ): Promise<PictureVariant | undefined>;
}
