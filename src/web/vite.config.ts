import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const folder = fileURLToPath(new URL('.', import.meta.url));

// Vite reads its configuration from the default export.
export default defineConfig({
  root: folder,
  plugins: [react(), tailwindcss()],
  build: {
    outDir: fileURLToPath(new URL('../../dist/web', import.meta.url)),
    emptyOutDir: true,
    // Diagrams are drawn by a page of its own, in a frame.
    rolldownOptions: {
      input: ['index.html', 'diagram.html'].map((name) => `${folder}${name}`),
      // The page needs nearly all of its state at once: one file is smaller than dozens.
      output: {
        codeSplitting: {
          groups: [
            // The frame of diagrams needs this too, and must get nothing else of the page.
            { name: 'preload-helper', test: /vite\/preload-helper/, priority: 1 },
            { name: 'state', test: /src\/(?:web\/state|client)\/(?!attention\/notify)/ },
          ],
        },
      },
    },
    // Everything comes from our own files: nothing inlined, so that a strict content policy holds.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The page brings other people's code with it, and so their terms.
    license: { fileName: 'third-party-licenses.md' },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1600,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:4310' } },
});
