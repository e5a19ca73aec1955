#!/usr/bin/env node
'use strict';

// The entry of the npm package, as bin/cerise.cjs there. Any Node can read it: an old one continues on the Node
// that npm installed beside Cerise, if there is one, or gets its one line.

// In other scripts of npm a program may be meant to outlive its shell.
if (/^(npx|start)$/.test(process.env.npm_lifecycle_event) && process.platform !== 'win32')
  require('./end-with-parent.cjs').endWithParent();

var range = require('../package.json').engines.node;

if (require('./node-range.cjs').isNodeIn(range, process.version)) {
  // A folder of one's own: Node's default is below the temporary folder, which others can write to.
  require('module').enableCompileCache(
    require('path').join(require('os').homedir(), '.cache', 'cerise'),
  );
  void import('../dist/host/cerise.mjs')
    .then(function (program) {
      return program.main(process.argv.slice(2));
    })
    .then(function (code) {
      process.exitCode = code;
    });
} else {
  void import('./pinned-node.mjs').then(function (pinned) {
    var script = require('url').pathToFileURL(__filename);
    return pinned.runOnPinnedNode(script, process.argv.slice(2)).then(function (runs) {
      if (runs) return;
      console.error(pinned.oldNodeMessage());
      process.exitCode = 1;
    });
  });
}
