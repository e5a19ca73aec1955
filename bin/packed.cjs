#!/usr/bin/env node
'use strict';

// The entry of the npm package, as bin/cerise.cjs there. Any Node can read it, so that an old one gets its one line.

var needed = Number(/\d+/.exec(require('../package.json').engines.node)[0]);

if (Number(process.versions.node.split('.')[0]) < needed) {
  console.error(
    'Cerise needs Node ' +
      needed +
      ' or newer; this is ' +
      process.version +
      '. Install it from https://nodejs.org and try again.',
  );
  process.exitCode = 1;
} else {
  // A folder of one's own: Node's default is below the temporary folder, which others can write to.
  require('node:module').enableCompileCache(
    require('node:path').join(require('node:os').homedir(), '.cache', 'cerise'),
  );
  void import('../dist/host/cerise.mjs')
    .then(function (program) {
      return program.main(process.argv.slice(2));
    })
    .then(function (code) {
      process.exitCode = code;
    });
}
