import type { Host } from '#chat/host/host.ts';
import { pictureQuerySchema } from '#shared/api/file-api.ts';
import { chat } from '../api/access.ts';
import type { Api } from '../api/api.ts';

/** Pictures of other hosts, for a page that may load nothing from them. */
export function pictureRoutes(api: Api, host: Host): void {
  api.get(
    {
      path: '/api/pictures',
      access: chat,
      summary: 'Get an image from the public internet, fetched by the host (up to 5 MiB).',
      query: pictureQuerySchema,
    },
    async ({ query, c }) => {
      const picture = await host.pictures.fetch(query.url, c.req.raw.signal);
      return new Response(picture.bytes, {
        headers: {
          'content-type': picture.mimeType,
          'content-security-policy': "default-src 'none'; sandbox",
          'cross-origin-resource-policy': 'same-origin',
          'x-content-type-options': 'nosniff',
          'cache-control': 'private, max-age=3600',
        },
      });
    },
  );
}
