import { describe, expect, it } from 'vitest';
import { hiddenSecret } from './text.ts';
import { displayVariable } from './launch-variables.ts';

describe('G7: the value of a variable', () => {
  it.each(
    `NODE_OPTIONS LD_PRELOAD DYLD_INSERT_LIBRARIES PATH Path PYTHONPATH PYTHONSTARTUP PYTHON_KEYRING_BACKEND
     PERL5OPT RUBYOPT JAVA_TOOL_OPTIONS _JAVA_OPTIONS BASH_ENV GIT_SSH_COMMAND GIT_CONFIG_KEY_0 HOME
     npm_config_registry npm_config_script_shell UV_DEFAULT_INDEX PIP_INDEX_URL GIT_ASKPASS GOFLAGS`.split(
      /\s+/,
    ),
  )('is shown where %s decides what runs', (name) => {
    expect(displayVariable(name, '/tmp/x')).toBe('/tmp/x');
  });

  it.each(
    `API_KEY GITHUB_TOKEN NODE_AUTH_TOKEN npm_config__auth npm_config_//registry.test/:_authToken
     UV_INDEX_OWN_PASSWORD POETRY_PYPI_TOKEN_OWN CARGO_REGISTRIES_OWN_TOKEN DATABASE_URL
     GOOGLE_APPLICATION_CREDENTIALS GOOGLE_API_KEY PERPLEXITY_API_KEY JAVA_KEYSTORE_PASSWORD`.split(
      /\s+/,
    ),
  )('of %s stays hidden', (name) => {
    expect(displayVariable(name, 'x')).toBe(hiddenSecret);
  });

  it.each(['PATH=/tmp/x:', 'NODE_OPTIONS=--require', 'LD_PRELOAD=TOKEN'])(
    'is shown for %s, which a program reads as the variable before the sign',
    (name) => {
      expect(displayVariable(name, '/tmp/x')).toBe('/tmp/x');
    },
  );

  it('is shown whole where what looks like a password could be code', () => {
    const code = '--import=data:text/javascript,1;"://";evil();"@"';
    expect(displayVariable('NODE_OPTIONS', code)).toBe(code);
  });

  it('is shown without a password in an address', () => {
    expect(displayVariable('npm_config_registry', 'https://me:pw@registry.test/a@b')).toBe(
      `https://${hiddenSecret}@registry.test/a@b`,
    );
  });
});
