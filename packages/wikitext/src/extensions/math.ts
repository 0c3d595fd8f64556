/** `<math>x^2</math>`: a formula in TeX, with `display="block"` on a line of its own. Chemistry is `<ce>H2O</ce>`. */
import { escapeText } from '../html.ts';
import type { Extension } from './extension.ts';

export const math: Extension = {
  name: 'math',
  isBlock: (attributes) => attributes.display === 'block',
  bringsLinks: false,
  render({ resolved }, { attributes, body = '' }) {
    const isDisplay = attributes.display === 'block';
    const inside = resolved.math?.(body.trim(), isDisplay) ?? `<code>${escapeText(body)}</code>`;
    return isDisplay
      ? `<div class="math math-display">${inside}</div>`
      : `<span class="math">${inside}</span>`;
  },
};

/** Tags that a dialect lists as `chemistry`: formulas in TeX as well. */
export const chemistry: Extension = {
  ...math,
  parse(_reader, node) {
    if (node.body === undefined) return undefined;
    node.body = `\\ce{${node.body}}`;
    return node;
  },
};
