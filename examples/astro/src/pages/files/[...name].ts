/** Pictures and other files come from the wiki itself. */
import type { APIRoute } from 'astro';
import { address } from '../../wiki.ts';

export const GET: APIRoute = ({ url, redirect }) => redirect(`${address}${url.pathname}${url.search}`, 302);
