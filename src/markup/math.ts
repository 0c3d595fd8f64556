/** Formulas as MathML, which browsers draw and screen readers read, without scripts or fonts. */
import temml from 'temml';
import { type Allowance, createAllowance } from './allowance.ts';

const maxFormulaLength = 5000;
const shortLength = 300;
/** `maxExpand` limits how often macros are used, but not the length of their expansion. */
const definition = /\\\w*(?:def|let|command)/;

/** Returns undefined for invalid TeX or if it exceeds the limits. The formula is then shown as source. */
export function math(
  tex: string,
  display: boolean,
  allowance: Allowance = createAllowance(),
): string | undefined {
  if (tex.length > maxFormulaLength) return undefined;
  return allowance.spend(() => draw(tex, display), tex.length <= shortLength && !definition.test(tex));
}

function draw(tex: string, display: boolean): string | undefined {
  try {
    // `trust: false` disables \href, \url and \includegraphics; `maxExpand` limits recursive macros.
    return temml.renderToString(tex, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      maxExpand: 500,
      maxSize: [20, 20],
    });
  } catch {
    // Besides its own `ParseError`, unusual formulas (`^^`) and deeply nested ones make it throw arbitrary errors.
    return undefined;
  }
}
