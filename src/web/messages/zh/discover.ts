import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: servers to install. */
export const discover: Messages['discover'] = {
  title: '发现',
  installed: '我的服务器',
  sections: '分区',
  search: '搜索可安装的服务器',
  noKey: '无需密钥即可使用',
  found: '{count, plural, =0 {没有结果。} other {# 个结果}}',
  way: '运行方式',
  install: '安装…',
  deprecated: '已弃用',
  neverFetched: '尚未获取',
  copied: '{count} 个服务器，获取于',
  check: '刷新',
  checking: '正在刷新…',
};
