/** Reports in the API. */
import { get, type HttpFace } from '#http/operation-routes.ts';
import { readReports } from './operations.ts';

export const http: HttpFace = { tag: 'Settings', routes: [get('/v1/reports', readReports)] };
