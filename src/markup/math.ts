/** Formulas as MathML, which browsers draw and screen readers read: no script, no fonts to load. */
import temml from 'temml';
import { type Allowance, createAllowance } from './allowance.ts';

const maxFormulaLength = 5000;
const shortLength = 300;
/** `maxExpand` bounds how often a macro is used, not how much that makes. */
const definition = /\\\w*(?:def|let|command)/;

/** Undefined for what is no TeX or asks for too much: then the formula is shown as it was written. */
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
    // trust: false leaves \href, \url and \includegraphics unused; maxExpand bounds macros that grow.
    return temml.renderToString(tex, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      maxExpand: 500,
      maxSize: [20, 20],
    });
  } catch {
    // Besides its own `ParseError`, odd formulas (`^^`) and deeply nested ones make it fail in any way there is.
    return undefined;
  }
}
