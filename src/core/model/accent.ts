/**
 * The accent colour of the site in its light and its dark theme: links and buttons. A colour that could not be read is made darker
 * or lighter until its contrast with every background of the theme is 4.5:1 (WCAG 2.2, 1.4.3, level AA).
 */

/** Backgrounds of each theme that are nearest to the colours of its text. `tokens.css` has the same values. */
export const backgrounds = { light: '#f3f1ea', dark: '#1b211e' };

const leastContrast = 4.5;
const steps = 200;

interface Accent {
  light: string;
  dark: string;
}

/** `colour`: `#rrggbb`. Colours that can be read stay as they are. */
export function accentOf(colour: string): Accent {
  return {
    light: readable(colour, backgrounds.light, 0),
    dark: readable(colour, backgrounds.dark, 255),
  };
}

/** WCAG 2.2: contrast ratio of two colours, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Mixes the colour with as little black (0) or white (255) as suffices. */
function readable(colour: string, background: string, towards: 0 | 255): string {
  for (let step = 0; step < steps; step++) {
    const mixed = hexOf(channelsOf(colour).map((channel) => channel + ((towards - channel) * step) / steps));
    if (contrastOf(mixed, background) >= leastContrast) return mixed;
  }
  return hexOf([towards, towards, towards]);
}

/** WCAG 2.2: relative luminance, from 0 to 1. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

function hexOf(channels: number[]): string {
  return `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
}
