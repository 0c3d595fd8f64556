/**
 * Declaration of a route besides types: texts for the reference, possible problems, and further responses. It serves
 * validation, types and the OpenAPI document.
 */
import type { ProblemCode } from '#core/model/problem.ts';

export interface HeaderDescription {
  description: string;
  example: string;
}

declare module 'fastify' {
  interface FastifySchema {
    /** Excludes the route from the OpenAPI document. */
    hide?: boolean;
    operationId?: string;
    summary?: string;
    description?: string;
    tags?: string[];
    /** Refusals besides those that the method and access imply, which `openapi.ts` adds. */
    problems?: ProblemCode[];
    /** Responses other than 200 and problems, by status. */
    others?: Record<number, string>;
    /** Headers of the 200 response. */
    headersOut?: Readonly<Record<string, HeaderDescription>>;
    /** Request headers, described; they are not validated by schema. */
    headersIn?: Readonly<Record<string, HeaderDescription>>;
    /** Content type of the 200 response if it is not JSON. */
    contentType?: string;
    /** Further content types of the 200 response, with an example of each. */
    otherTypes?: Readonly<Record<string, string>>;
    /** Whether browsers that navigate there get refusals as a page. */
    problemsAsPages?: boolean;
    /** Whether bodies may also be multipart/form-data. */
    takesMultipart?: boolean;
  }
}
