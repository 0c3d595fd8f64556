/** A real mail server for tests. It keeps the mails that it accepts, parsed. */
import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

export interface TestMailbox extends AsyncDisposable {
  /** Value of `COPPICE_MAIL`. */
  url: string;
  received: ParsedMail[];
  /** Response to every recipient from now on; undefined accepts them. */
  refusal: { code: number; message: string } | undefined;
  /** True to keep each mail and answer that it was refused, as when a server stops before it answers. */
  isForgetful: boolean;
  /** User and passphrase that were sent last. */
  login: { user: string; pass: string } | undefined;
}

/** Interval of a mail loop that tests run by hand: otherwise its own round takes a mail before the test looks. */
export const byHand = 2 ** 31 - 1;

export async function startMailbox(): Promise<TestMailbox> {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onAuth({ username = '', password = '' }, _session, done) {
      mailbox.login = { user: String(username), pass: String(password) };
      done(null, { user: String(username) });
    },
    onRcptTo(_address, _session, done) {
      const { refusal } = mailbox;
      done(refusal ? Object.assign(new Error(refusal.message), { responseCode: refusal.code }) : null);
    },
    onData(stream, _session, done) {
      simpleParser(stream).then((mail) => {
        mailbox.received.push(mail);
        done(mailbox.isForgetful ? Object.assign(new Error('Once more'), { responseCode: 451 }) : null);
      }, done);
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const mailbox: TestMailbox = {
    url: `smtp://wiki:p%40ss@127.0.0.1:${port}`,
    received: [],
    refusal: undefined,
    isForgetful: false,
    login: undefined,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return mailbox;
}

/** Settings of a wiki that sends its mail to this mailbox. */
export function mailSettings({ url }: TestMailbox): Record<string, string> {
  return {
    COPPICE_MAIL: url,
    COPPICE_MAIL_FROM: 'Testwood <wiki@example.org>',
    COPPICE_URL: 'https://wiki.example.org',
    COPPICE_NAME: 'Testwood',
  };
}

/** Link in a mail, without its host. */
export function linkIn(mail: ParsedMail | undefined): string {
  return /https:\/\/wiki\.example\.org(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
}
