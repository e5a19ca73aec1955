import { hiddenSecret } from './text.ts';
import { displayReferences } from './variables.ts';

/** Programs that are run, places that code is loaded from, and options of whatever runs it. */
const names: ReadonlySet<string> = new Set(
  `PATH PATHEXT COMSPEC SHELL ENV BASH_ENV ZDOTDIR PROMPT_COMMAND PS4 IFS EDITOR VISUAL PAGER BROWSER
   HOME USERPROFILE APPDATA LOCALAPPDATA XDG_CONFIG_HOME XDG_CONFIG_DIRS XDG_DATA_HOME XDG_DATA_DIRS
   CLASSPATH PSMODULEPATH GCONV_PATH OPENSSL_CONF OPENSSL_ENGINES OPENSSL_MODULES SSH_ASKPASS SUDO_ASKPASS
   BUNDLE_GEMFILE BUNDLE_PATH GOFLAGS GOPATH GOPROXY GOROOT GOTOOLCHAIN GOENV PHPRC PHP_INI_SCAN_DIR
   DOCKER_HOST DOCKER_CONTEXT DOCKER_CONFIG KUBECONFIG VIRTUAL_ENV`.split(/\s+/),
);
const families =
  /^(?:LD|DYLD|NODE|NPM_CONFIG|YARN|PNPM|BUN|DENO|TS_NODE|PIP|UV|PIPX|POETRY|CONDA|GEM|_?JAVA|JDK|MAVEN|GRADLE|DOTNET|COMPLUS|COR|CORECLR|CARGO|LUA|GIT|ELECTRON)_|^(?:PYTHON|PERL|RUBY|RUST)/;
const secret = /(?:^|_)(?:TOKEN|PASSWORD|PASSWD|SECRET|AUTH|AUTHTOKEN|CREDENTIALS?)(?:_|$)|KEY$/;
/** Those that hold addresses and nothing else: in any other, what looks like a password may be code. */
const addresses = /(?:URL|REGISTRY|INDEX|PROXY)$/;
const password = /(?<=^|[\s,|=])(https?:\/\/)[^/@\s]+@/g;

/**
 * What an approver of the launch sees of the value of a variable. One that decides what runs
 * (`NODE_OPTIONS`, `LD_PRELOAD`, `PATH`, …) is shown, but for a password in an address: nobody can approve
 * what they have not seen. Any other may be a secret, and is hidden but for what it refers to.
 */
export function displayVariable(name: string, value: string): string {
  // A program is given NAME=VALUE as one text, and its variable ends at the first sign.
  const upper = name.toUpperCase().replace(/=.*$/s, '');
  const decides = (names.has(upper) || families.test(upper)) && !secret.test(upper);
  if (!decides) return displayReferences(value);
  return addresses.test(upper) ? value.replaceAll(password, `$1${hiddenSecret}@`) : value;
}
