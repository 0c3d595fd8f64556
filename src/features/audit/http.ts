/** The audit log in the API. */
import { get, type HttpFace } from '#http/operation-routes.ts';
import { readAudit } from './operations.ts';

export const http: HttpFace = { tag: 'Audit', routes: [get('/v1/audit', readAudit)] };
