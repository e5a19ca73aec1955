import type { Messages } from '../en.ts';

/** Texts of the page in Simplified Chinese: chat. */
export const chat: Messages['chat'] = {
  greeting: '需要我做什么？',
  greetingText: '随便问。你的 MCP 服务器的工具随时可用。',
  suggestTime: '东京现在几点？工作区里有哪些文件？',
  suggestSum: '计算 12*(3+4)',
  suggestTour: '/tour',
  suggestTourLabel: '浏览每一种内容块',
  suggestMemory: '记住：我最喜欢的水果是樱桃',
  missing: '这个对话不存在。',
  missingText: '它可能已被删除。',
  failed: '无法加载对话。',
  latest: '跳到最新',
  earlier: '正在加载更早的消息…',
  log: '对话内容',
};
