/** Pages are rendered on the first request, and kept until a webhook names them. */
import node from '@astrojs/node';
import { defineConfig, memoryCache } from 'astro/config';

export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  // Pages differ by the words that are searched for, and previews by their proposal and its key.
  cache: { provider: memoryCache({ max: 10_000, query: { include: ['q', 'proposal', 'key'] } }) },
  devToolbar: { enabled: false },
});
