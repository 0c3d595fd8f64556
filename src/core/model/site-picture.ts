/**
 * Logo and icon of the site: small pictures that are kept with the settings. Their type follows from their bytes, whatever a form
 * says.
 */
import type { Words } from '#html/html.ts';
import { say } from '#words/say.ts';

export interface SitePicture {
  type: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif' | 'image/svg+xml';
  /** Base64. */
  data: string;
}

export const maxPictureBytes = 200_000;

/** Reads a picture as callers give it, or returns a sentence about why it is none. */
export function readSitePicture(given: unknown): SitePicture | { problem: Words } {
  const { data } = (given ?? {}) as { data?: unknown };
  if (typeof data !== 'string' || data === '' || !/^[\w+/-]+={0,2}$/.test(data))
    return { problem: say('problem.aPictureMustBeAnObjectWith') };
  if ((data.length * 3) / 4 > maxPictureBytes + 3)
    return { problem: say('problem.aPictureCanHaveAtMostKb', { megabytes: maxPictureBytes / 1000 }) };
  const type = typeOf(data);
  return type ? { type, data } : { problem: say('problem.aPictureMustBeAPngJpeg') };
}

/** Size of the picture in bytes, without its base64 encoding. */
export function pictureBytes({ data }: SitePicture): number {
  return Math.floor((data.replace(/=+$/, '').length * 3) / 4);
}

function typeOf(data: string): SitePicture['type'] | undefined {
  // Whole groups of four characters, so that the bytes at the beginning are whole.
  const head = atob(data.slice(0, 2000).replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/'));
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('GIF8')) return 'image/gif';
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp';
  return /^(?:\xef\xbb\xbf)?\s*<(?:svg|\?xml|!--|!DOCTYPE svg)/i.test(head) && head.includes('<svg')
    ? 'image/svg+xml'
    : undefined;
}
