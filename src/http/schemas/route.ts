/**
 * Description of a route beyond types: words for the reference, the problems it may answer with, and responses other than
 * its success. One declaration serves validation, types and the OpenAPI document.
 */
import type { ProblemCode } from '#domain/problem.ts';

export interface HeaderDescription {
  description: string;
  example: string;
}

declare module 'fastify' {
  interface FastifySchema {
    /** Left out of the OpenAPI document. */
    hide?: boolean;
    operationId?: string;
    summary?: string;
    description?: string;
    tags?: string[];
    /** Refusals beyond those that every operation shares. */
    problems?: ProblemCode[];
    /** Other answers than 200 and problems, by status. */
    others?: Record<number, string>;
    /** Headers of the 200 answer. */
    headersOut?: Readonly<Record<string, HeaderDescription>>;
    /** Request headers, described; they are not validated by schema. */
    headersIn?: Readonly<Record<string, HeaderDescription>>;
    /** Type of the 200 answer's content when it is not JSON. */
    contentType?: string;
    /** Other types of the 200 answer's content, by an example of each. */
    otherTypes?: Readonly<Record<string, string>>;
    /** Browsers that go there are refused by a page. */
    problemsAsPages?: boolean;
    /** Bodies are also taken as multipart/form-data. */
    takesMultipart?: boolean;
  }
}
