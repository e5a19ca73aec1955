import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: markdown. */
export const markdown: Messages['markdown'] = {
  wrap: '自动换行',
  saveCode: '保存为文件',
  table: '表格',
  copyTable: '复制为 CSV',
  footnote: '脚注 {number}',
  footnotes: '脚注',
  footnoteBack: '返回引用处 {number}',
  diagram: '图表',
  showDiagram: '显示图表',
  showSource: '显示源代码',
  openLarge: '放大查看',
  copySvg: '复制为 SVG',
  notDrawn: '无法渲染此图表：{reason}',
  drawnLate: '渲染此图表用时过长。',
  loadPicture: '从 {host} 加载',
  elsewhere: '此链接的文字与实际指向不符：',
  lookalike: '该域名可能在冒充另一个域名：',
  hidden: '此链接的文字含有隐藏字符，实际指向：',
  taskDone: '已完成',
  taskOpen: '待办',
};
