import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: servers to install. */
export const discover: Messages['discover'] = {
  title: '发现',
  installed: '我的服务器',
  sections: '分区',
  search: '搜索可安装的服务器',
  noKey: '无需密钥即可使用',
  found: '{count, plural, =0 {没有结果。} other {# 个结果}}',
  needsKey: '需要密钥',
  way: '运行方式',
  install: '安装…',
  kinds: {
    npm: 'npm',
    pypi: 'PyPI',
    container: '容器',
    nuget: 'NuGet',
    bundle: '安装包',
    remote: '远程',
    other: '其他',
  },
};
