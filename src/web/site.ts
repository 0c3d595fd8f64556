/** Context of every page of the site: the service, its settings, and the data of one visit. */

import type { SignedIn } from '#domain/members/sessions.ts';
import type { Actor } from '#domain/permission.ts';
import type { Costs } from '#http/costs.ts';
import type { Limits } from '#http/limits.ts';
import type { Service } from '#http/service.ts';
import type { SignInLimits } from '#http/sign-in-limits.ts';
import type { Assets } from './assets.ts';

export interface WebSettings {
  /** Name of the wiki, `COPPICE_NAME`. */
  name: string;
  /** Public address without trailing slash; empty: taken from each request. */
  baseUrl: string;
  /** Path of the page shown at `/`, `COPPICE_HOME`. */
  home: string;
  maxUploadBytes: number;
  defaultFormat: 'wikitext' | 'markdown';
  /** After which deleted pages are removed for good; 0: never. */
  trashDays: number;
  /** Address of map tiles with {z}, {x}, {y}; empty: the bundled map alone. */
  tiles?: string;
}

export interface Site {
  service: Service;
  settings: WebSettings;
  limits: Limits;
  costs: Costs;
  signIns: SignInLimits;
  assets: Assets;
}

export type Theme = 'light' | 'dark' | 'system';

export interface Visit {
  actor: Actor;
  /** Session of the cookie; undefined for anonymous visitors. */
  signedIn: SignedIn | undefined;
  /** Notifications that the member has not read; 100 where there are more. */
  unread: number;
  /** People who wait for this administrator to let them in. */
  waiting: number;
  theme: Theme;
  /** Scheme and host under which people reach the site, without trailing slash. */
  origin: string;
  /** Path and query of this request: where to come back to. */
  url: string;
  now: number;
  /** Lets the editor's script add style sheets of its own. */
  nonce: string;
  /** A sentence left by the page before, such as “Saved.” */
  notice: string | undefined;
  /** A session cookie came along that is not valid any more. */
  isSessionLost: boolean;
}

/** Pages that look the same to everybody who is not signed in. They say how long ago things were, to the minute. */
export const shared = { isShared: true, sharedForSeconds: 30 };
