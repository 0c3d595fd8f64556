/** The frame of a static site's pages, by the settings of the wiki: name, menu, footer and pictures. */

import { encodePath } from '#core/model/path.ts';
import { pictureNames, type SiteLink } from '#core/model/settings.ts';
import { pathsOfTargets } from '#core/reading/named-pages.ts';
import { type Html, html, type Words } from '#html/html.ts';
import { say } from '#words/say.ts';
import type { WikiFacts } from '../walk.ts';
import type { ShownPlan } from './plan.ts';

export interface SiteFrame {
  name: string;
  language: string;
  /** Links of the settings to pages of the site and to other sites. `up`: relative path to the top of the site. */
  menu(up: string): Html[];
  footer(up: string): Html[];
  licence: Html | undefined;
  pictures: ReadonlyMap<PictureName, SitePictureFile>;
}

type PictureName = (typeof pictureNames)[number];

interface SitePictureFile {
  /** Place within the site. */
  path: string;
  contents: Uint8Array;
}

/** Links to pages that are not in the site are left out. */
export function siteFrame({ name, language, settings }: WikiFacts, { byPath }: ShownPlan): SiteFrame {
  const { menu = [], footer = [], imprint = null, privacy = null, licence } = settings;
  const linksTo = (links: readonly NamedLink[]) => (up: string) =>
    links.flatMap(({ label, to }) => {
      const [path] = pathsOfTargets([to]);
      const page = path === undefined ? undefined : byPath.get(path);
      const [, fragment] = to.split('#', 2);
      const place = page && `${up}${encodePath(page.folder)}/index.html${fragment ? `#${fragment}` : ''}`;
      const address = to.startsWith('/') ? place : to;
      return address === undefined ? [] : html`<a href="${address}" dir="auto">${label}</a> `;
    });
  const legal = [
    { label: say('layout.imprint'), to: imprint },
    { label: say('layout.privacy'), to: privacy },
  ].flatMap(({ label, to }) => (to === null ? [] : { label, to }));
  const pictures = pictureNames.flatMap((name) => {
    const picture = settings[name];
    if (!picture) return [];
    const path = `assets/${name}.${picture.type.replace(/^image\/|\+xml$/g, '')}`;
    return [[name, { path, contents: Buffer.from(picture.data, 'base64') }] as const];
  });
  return {
    name,
    language,
    menu: linksTo(menu),
    footer: linksTo([...footer, ...legal]),
    licence: licence ? html`<a href="${licence.url}" rel="license">${licence.name}</a>` : undefined,
    pictures: new Map(pictures),
  };
}

type NamedLink = Omit<SiteLink, 'label'> & { label: Words };

/** The logo for either theme; nothing without one. */
export function siteLogo({ pictures }: SiteFrame, up: string): Html | undefined {
  const logo = pictures.get('logo');
  if (!logo) return undefined;
  const dark = pictures.get('logoDark');
  const source = dark && html`<source media="(prefers-color-scheme: dark)" srcset="${up}${dark.path}">`;
  return html`<picture>${source}<img class="logo" src="${up}${logo.path}" alt=""></picture>`;
}
