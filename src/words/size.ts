/** Sizes of files as people read them. */
import { kept } from './evaluate.ts';

const formats = new Map<string, Intl.NumberFormat>();
const units = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'];

/** `104.9 kB`, `638 bytes`: decimal units (1 kB = 1,000 B) with one decimal, in the units of the language. */
export function sizeIn(locale: string, bytes: number): string {
  const inUnit = (value: number, unit: string, unitDisplay: 'short' | 'long', digits: number) =>
    kept(
      formats,
      `${locale} ${unit}`,
      () =>
        new Intl.NumberFormat(locale, {
          style: 'unit',
          unit,
          unitDisplay,
          minimumFractionDigits: digits,
          maximumFractionDigits: digits,
        }),
    ).format(value);
  if (bytes < 1000) return inUnit(bytes, 'byte', 'long', 0);
  let value = bytes / 1000;
  let at = 0;
  // 999,950 B rounds to 1000.0 kB, which is 1.0 MB.
  for (; at < units.length - 1 && value >= 999.95; at++) value /= 1000;
  return inUnit(value, units[at] as string, 'short', 1);
}
