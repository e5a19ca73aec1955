'use strict';

// This file also runs on the old Node versions that the package explains itself to: no newer syntax.

var watchTime = 500;

/** A signal to npm ends the shell between npm and us but does not reach us: notice that ourselves. */
exports.endWithParent = function endWithParent() {
  var parent = process.ppid;
  var watch = setInterval(function () {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, watchTime);
  watch.unref();
};
