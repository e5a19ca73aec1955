'use strict';

// Also runs on the old versions of Node that it is there to recognise: plain JavaScript only.

/** Whether a version of Node is one of `engines.node`, which is written as `^24.16.0 || >=26.1.0`. */
exports.isNodeIn = function (range, version) {
  var have = numbersOf(version);
  return range.split('||').some(function (part) {
    var least = numbersOf(part);
    var isNewer = have[0] > least[0];
    if (have[0] === least[0]) return have[1] >= least[1];
    return isNewer && part.indexOf('^') < 0;
  });
};

/** The one line for a machine on which no suitable Node can be had. */
exports.oldNodeMessage = function (range, version) {
  var wanted = range
    .split('||')
    .map(function (part) {
      var least = numbersOf(part);
      var minor = least[0] + '.' + least[1] + ' or newer';
      return part.indexOf('^') < 0 ? minor : least[0] + ' (' + minor + ')';
    })
    .join(' or Node ');
  return (
    'Cerise needs Node ' +
    wanted +
    '; this is ' +
    version +
    '. Install it from https://nodejs.org and try again.'
  );
};

function numbersOf(version) {
  return version.match(/\d+/g).map(Number);
}
