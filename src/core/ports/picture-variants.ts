/** Port to narrower copies of stored pictures, made on first request and kept in the disposable cache. */
import type { FileStore } from './file-store.ts';

/** Widths in pixels; few, so that each copy serves many screens. */
export const pictureWidths = [320, 640, 960, 1280, 1920] as const;
export type PictureWidth = (typeof pictureWidths)[number];

/** Whether pages offer a picture of this type in other widths. Not GIF: for an animated one the copy would be the file itself. */
export function hasVariants(mime: string): boolean {
  return /^image\/(jpeg|png|webp|avif)$/.test(mime);
}

/** Output formats; `own` is that of the picture. */
export type VariantFormat = 'avif' | 'webp' | 'own';

export interface PictureVariant {
  mime: string;
  bytes: Uint8Array;
}

export interface PictureVariants {
  /**
   * The picture at this width: first frame, EXIF orientation applied, metadata stripped. Returns undefined if the file itself
   * should be served: it is no readable or complete picture, is not wider, is animated, exceeds the pixel limit, or its own
   * format cannot be written. Concurrent requests for the same copy share the work. Refuses `unavailable` while too many wait.
   */
  narrow(
    store: FileStore,
    file: { hash: string; mime: string; sizeBytes: number | undefined },
    width: PictureWidth,
    format: VariantFormat,
  ): Promise<PictureVariant | undefined>;
}
