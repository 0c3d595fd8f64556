/**
 * Renders a body, or takes the rendering from the cache. A cached rendering is valid if the page has the same name and all its
 * lookups have the same answers. These are repeated in one batch, so the reads are recorded as if the page had been rendered
 * again.
 */
import { kindOf } from '../model/permission.ts';
import type { Reader } from '../ports/reader.ts';
import { TooCostly } from './language.ts';
import {
  codeAsWritten,
  type RenderedPage,
  type Renderer,
  type RenderInput,
  type Rendering,
  render,
  shownAsWritten,
} from './render.ts';
import { answerNeeds, fingerprint } from './render-needs.ts';

/**
 * Renders a body for one reader, from the cache if everything that it asked has the same answers now. Batches of queries are
 * bounded by the depth of templates.
 */
export async function renderBody(
  reader: Reader,
  renderer: Renderer,
  input: RenderInput,
  now: number,
): Promise<RenderedPage> {
  // Readers of the same kind nearly always get the same rendering; otherwise the lookups differ.
  const output = input.output === 'markdown' ? ' markdown' : '';
  const key = input.cacheKey && `${input.cacheKey} ${kindOf(reader.actor)}${output}`;
  // Long page data is hashed, because keys of all entries in the spill file stay in memory.
  const page = JSON.stringify([
    renderer.siteName,
    reader.dialect.language,
    input.language ?? null,
    input.page,
  ]);
  const known = key === undefined ? undefined : renderer.cache.get(key);
  if (known?.page === page) {
    const answers = await answerNeeds(reader, known.needs, input);
    if (fingerprint(answers) === known.answers) return { ...known.rendered, targets: new Map(known.targets) };
  }
  let rendering: Rendering;
  try {
    rendering = await render(reader, renderer, input, now);
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error;
    renderer.onSource?.(input.page.path);
    reader.trace.isUncacheable = true;
    return input.output === 'markdown' ? codeAsWritten(input.body) : shownAsWritten(input.body);
  }
  const { rendered, needs, answers, isTimeDependent } = rendering;
  if (isTimeDependent) reader.trace.isTimeDependent = true;
  else if (key !== undefined) {
    const { targets, ...others } = rendered;
    const size = page.length + 2 * rendered.html.length + answers.length;
    renderer.cache.set(key, { page, needs, answers, rendered: others, targets: [...targets] }, size);
  }
  return rendered;
}
