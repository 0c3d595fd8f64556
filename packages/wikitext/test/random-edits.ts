/** Tests that a random edit of a document changes only what it touches. Used for both languages. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Documents, NotExpressible } from '../src/document/index.ts';
import { isWithin, randomFrom, randomStep, stepKinds } from './document-steps.ts';

const folder = process.env.COPPICE_CORPUS;
const isThorough = process.env.COPPICE_TESTS === 'thorough';

/**
 * `extension`: of the real pages that are read from the folder that `COPPICE_CORPUS` names. `mostRefused`: the highest permitted
 * ratio of refused to exact edits, of `source` and of real pages.
 */
export function describeRandomEdits(
  { documentOf, patch }: Documents,
  source: string,
  { extension, mostRefused }: { extension: string; mostRefused: { ofSource: number; ofPages: number } },
): void {
  const tryAll = (text: string, seed: number, each: number) => {
    const document = documentOf(text);
    expect(patch(text, JSON.parse(JSON.stringify(document)))).toBe(text);
    const pick = randomFrom(seed);
    const counts = { exact: 0, refused: 0 };
    for (const kind of stepKinds)
      for (let count = 0; count < each; count++) {
        const step = randomStep(document, kind, pick);
        if (!step) continue;
        try {
          const result = patch(text, step.document);
          expect(isWithin(text, result, step.touches), `${kind}: ${JSON.stringify(step.touches)}`).toBe(true);
          counts.exact++;
        } catch (error) {
          if (!(error instanceof NotExpressible)) throw error;
          counts.refused++;
        }
      }
    return counts;
  };

  describe('random edits', () => {
    it('of a page with everything change only what they touch', () => {
      const { exact, refused } = tryAll(source, 1, isThorough ? 200 : 4);
      expect(refused / exact).toBeLessThan(mostRefused.ofSource);
    });

    const names =
      folder === undefined
        ? []
        : readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
            name.endsWith(extension),
          );
    const some = isThorough ? names : names.filter((_, index) => index % 20 === 0);

    it.skipIf(some.length === 0)('of real pages change only what they touch, and few are refused', () => {
      const all = { exact: 0, refused: 0 };
      for (const [index, name] of some.entries()) {
        const { exact, refused } = tryAll(readFileSync(join(folder ?? '', name), 'utf8'), index + 1, 1);
        all.exact += exact;
        all.refused += refused;
      }
      expect(all.refused / all.exact).toBeLessThan(mostRefused.ofPages);
    });
  });
}
