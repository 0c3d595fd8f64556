/** Settings of identity providers: a few for each provider, named after it. */

import { isSafe } from '#auth/oauth-fetch.ts';
import type { ProviderSettings } from '#auth/provider-adapter.ts';

/** Values that are preset for well-known providers. */
const knownProviders: Readonly<Record<string, { label: string; issuer?: string }>> = {
  github: { label: 'GitHub', issuer: 'https://github.com' },
  gitlab: { label: 'GitLab', issuer: 'https://gitlab.com' },
  google: { label: 'Google', issuer: 'https://accounts.google.com' },
  microsoft: { label: 'Microsoft' },
};

export function readProviders(
  environment: Readonly<Record<string, string | undefined>>,
  sentences: string[],
): ProviderSettings[] {
  const list = environment.COPPICE_OAUTH?.trim() ?? '';
  if (list === '') return [];
  const names = list.split(',').map((name) => name.trim());
  const isList = names.every((name) => /^[a-z][a-z0-9-]{0,31}$/.test(name));
  if (!isList || new Set(names).size < names.length) {
    sentences.push(
      `COPPICE_OAUTH: expected different names of lower-case letters, digits and hyphens, separated by commas, got "${list.slice(0, 100)}".`,
    );
    return [];
  }
  return names.map((name) => readProvider(environment, name, sentences));
}

/** Common prefix of the names of a provider's settings. */
export function providerPrefix(name: string): string {
  return `COPPICE_OAUTH_${name.toUpperCase().replaceAll('-', '_')}`;
}

function readProvider(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
  sentences: string[],
): ProviderSettings {
  const known = Object.hasOwn(knownProviders, name) ? knownProviders[name] : undefined;
  const read = <T>(
    suffix: string,
    otherwise: string,
    parse: (text: string) => T | undefined,
    expected: string,
  ): T => {
    const setting = `${providerPrefix(name)}_${suffix}`;
    const text = environment[setting]?.trim() || otherwise;
    const value = parse(text);
    if (value === undefined) {
      const got =
        text === '' ? 'nothing' : suffix === 'SECRET' ? 'something else' : `"${text.slice(0, 100)}"`;
      sentences.push(`${setting}: expected ${expected}, got ${got}.`);
    }
    return value as T;
  };
  return {
    name,
    label: read(
      'LABEL',
      known?.label ?? name.charAt(0).toUpperCase() + name.slice(1),
      (text) => (/^[^\p{Cc}]{1,40}$/u.test(text) ? text : undefined),
      'a name of up to 40 characters',
    ),
    kind: read(
      'KIND',
      name === 'github' ? 'github' : 'oidc',
      (text) => (text === 'oidc' || text === 'github' ? text : undefined),
      'oidc or github',
    ),
    issuer: read(
      'ISSUER',
      known?.issuer ?? '',
      readIssuer,
      'an address like https://id.example.org (http only on this machine), without query',
    ),
    id: read('ID', '', readVisible, 'the client ID that the provider has given'),
    secret: read('SECRET', '', readSecret, 'the client secret that the provider has given'),
    groupsClaim: read(
      'GROUPS_CLAIM',
      '',
      (text) => (/^[\x21-\x7e]{0,200}$/.test(text) ? text : undefined),
      'the name of a claim, such as groups',
    ),
  };
}

/** OpenID Connect Discovery §3: an issuer has neither query nor fragment. */
function readIssuer(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.search || url.hash || url.username || url.password || !isSafe(url)) return undefined;
  return text;
}

/** RFC 6749 A.2 permits spaces; they are form-encoded when they are sent. */
function readSecret(text: string): string | undefined {
  return /^[^\p{Cc}]{1,2048}$/u.test(text) && text.isWellFormed() ? text : undefined;
}

function readVisible(text: string): string | undefined {
  return /^[\x21-\x7e]{1,2048}$/.test(text) ? text : undefined;
}
