/** Pages are rendered on the first request, and kept until a webhook names them. */
import node from '@astrojs/node';
import { defineConfig, memoryCache } from 'astro/config';

export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  // Of the query only the words that are searched for matter.
  cache: { provider: memoryCache({ max: 10_000, query: { include: ['q'] } }) },
  devToolbar: { enabled: false },
});
