import type { Messages } from '../en.ts';

/** Texts of the page in Simplified Chinese: block. */
export const block: Messages['block'] = {
  thinking: '思考中…',
  thought: '已思考',
  thoughtFor: '思考了 {duration}',
  translation: '译文',
  compact: '前 {count} 条消息的摘要',
  compacting: '正在总结此前的对话…',
  image: '图片',
  file: '文件',
  download: '下载 {name}',
  video: '视频',
  audio: '音频',
  show: '显示',
  hide: '隐藏',
  openFile: '打开',
  enlarge: '放大显示',
  notLoaded: '图片无法加载。',
  sources: '{count} 个来源',
  moreSources: '另外 {count} 个来源',
  unknown: '这个版本的 Cerise 无法显示这部分内容。',
  error: '出错了',
};
