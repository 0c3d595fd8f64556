/** The conformance suite of the Model Context Protocol: all scenarios that a server with tools of its own can pass (decision 0069). */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startApp } from '../support/http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const suite = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const scenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'dns-rebinding-protection',
  'http-header-validation',
  'server-sse-polling',
  'server-sse-multiple-streams',
];

test('/mcp passes the scenarios that apply to it', async () => {
  const cwd = await temporaryFolder();
  const run = promisify(execFile);
  await run('npm', ['install', '--silent', '--no-audit', '--no-fund', suite], { cwd });
  const wiki = await startApp({ HOST: '127.0.0.1' });
  try {
    const address = await wiki.app.server.listen({ host: '127.0.0.1', port: 0 });
    const url = `${address.replace('127.0.0.1', 'localhost')}/mcp`;
    for (const scenario of scenarios) {
      const { stdout } = await run('npx', ['conformance', 'server', '--url', url, '--scenario', scenario], {
        cwd,
      });
      expect(stdout, scenario).toMatch(/^Passed: .* 0 failed/m);
    }
  } finally {
    await wiki.close();
  }
}, 300_000);
