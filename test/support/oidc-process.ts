/**
 * A real OpenID Connect provider in a process of its own: `oidc-provider` with its development pages, where any login is
 * an account. Arguments: port and the one redirect address. The login `unverified…` has an unverified e-mail address.
 */
import Provider from 'oidc-provider';

const [port = '', redirectUri = ''] = process.argv.slice(2);
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: 'coppice',
      client_secret: 'a+secret%of:the~two',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
  cookies: { keys: ['only for tests'] },
  pkce: { required: () => true },
  findAccount: (_context, sub) => ({
    accountId: sub,
    claims: () => ({
      sub,
      name: `${sub} of the provider`,
      email: `${sub}@mail.example`,
      email_verified: !sub.startsWith('unverified'),
    }),
  }),
});
provider.listen(Number(port), '127.0.0.1', () => process.stdout.write('listening\n'));
