/** Multipart forms with a few small files, which are read into memory: a file becomes `{data: base64}`, as in JSON. */

import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { Problem } from '#core/model/problem.ts';
import { say } from '#words/say.ts';
import { readFields } from '../schemas/validate.ts';
import type { Server } from '../service.ts';

/** Many more than any form has. */
const maxParts = 300;

/** Adds multipart forms to the types of this scope. Refuses `invalid` if the form did not arrive whole, and
 * `too-large` for too many fields. */
export function registerSmallForms(server: Server): void {
  server.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const fields: Record<string, unknown> = {};
      const parts = [...(await partsOf(request, body))];
      if (parts.length > maxParts)
        throw new Problem('too-large', say('problem.aFormWithFilesCanHaveAt', { maxParts }));
      for (const [name, value] of parts)
        fields[name] = typeof value === 'string' ? textOf(value) : await fileOf(value);
      return readFields((request.routeOptions.schema?.body ?? {}) as TSchema, fields);
    },
  );
}

async function partsOf({ headers }: FastifyRequest, body: Buffer): Promise<FormData> {
  try {
    const type = headers['content-type'] ?? '';
    return await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  } catch (error) {
    throw new Problem('invalid', say('problem.theFormDidNotArriveWhole'), { cause: error });
  }
}

/** Lists are written as JSON. */
function textOf(text: string): unknown {
  if (!text.startsWith('[')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A form without a chosen file sends an empty one. */
async function fileOf(file: Blob): Promise<{ data: string } | undefined> {
  return file.size === 0 ? undefined : { data: Buffer.from(await file.arrayBuffer()).toString('base64') };
}
