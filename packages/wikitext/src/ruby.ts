/** Parts of ruby annotations: `<ruby>漢<rt>kan</rt></ruby>`. */
import type { Open } from './open-element.ts';
import { topName, topTraits } from './stack.ts';
import { trait } from './traits.ts';

/** Whether the part `name` closes the innermost element. A container `rtc` may hold `rt` and `rp`. */
export function closesInRuby(stack: readonly Open[], name: string): boolean {
  const isHeld = topName(stack) === 'rtc' && (name === 'rt' || name === 'rp');
  return (topTraits(stack) & trait.impliedEnd) !== 0 && !isHeld;
}
