/** Routes that carry out no operation, each with the reason. A route that does something for somebody is none of them. */
const files = 'A file of the program, the same for everybody.';
const form = 'A form without data. Its sending carries out the operation.';
const probe = 'About the process, for its operator. Whether it may be seen is a setting.';
const refusal = 'Refuses every request, because there is no starting point.';

export const undeclared: Readonly<Record<string, string>> = {
  'GET /assets/:version/*': files,
  'GET /assets/prefetch-rules.json': files,
  'GET /assets/site/:version/:name':
    'Style sheets and pictures of the look, which everybody sees at sign-in.',
  'GET /favicon.ico': files,
  'GET /healthz': probe,
  'GET /index.php': 'Turns an address of a former wiki into one of this wiki, which is read there.',
  'GET /login': form,
  'GET /login/forgot': form,
  'GET /login/join':
    'Shows what the provider said, from a sealed cookie. Its sending carries out the operation.',
  'GET /login/with/:provider': 'Leads to the sign-in page.',
  'GET /logout': 'Leads to the account, because only a form signs out.',
  'GET /metrics': probe,
  'GET /readyz': probe,
  'GET /robots.txt': 'Made from settings, without reading the wiki.',
  'GET /search/description.xml': 'Made from settings, without reading the wiki.',
  'GET /v1/docs': files,
  'GET /v1/docs/style.css': files,
  'GET /v1/docs/try.js': files,
  'GET /v1/near': refusal,
  'GET /v1/near/:lat': refusal,
  'GET /v1/openapi.json': files,
  'POST /v1/batch': 'Runs requests of other routes, each of which carries out its operation.',
};
