/** Texts of the page in English: block. */
export const block = {
  thinking: 'Thinking…',
  thought: 'Thought',
  thoughtFor: 'Thought for {duration}',
  translation: 'Translation',
  compact:
    '{count, plural, one {The first message, in short} other {The first # messages, in short}}',
  compacting: 'Summing up the earlier conversation…',
  image: 'Image',
  file: 'File',
  download: 'Download {name}',
  video: 'Video',
  audio: 'Audio',
  show: 'Show',
  hide: 'Hide',
  openFile: 'Open',
  enlarge: 'Show larger',
  notLoaded: 'The picture could not be loaded.',
  sources: '{count, plural, one {# source} other {# sources}}',
  moreSources: '{count, plural, one {# more source} other {# more sources}}',
  unknown: 'This version of Cerise cannot show this part.',
  error: 'Something went wrong',
};
