/** Environment variables that make programs load or run something else; none of them holds a secret. */
const loaders =
  /^(?:PATH|PATHEXT|COMSPEC|SHELL|ENV|BASH_ENV|NODE_OPTIONS|NODE_PATH|LD_\w+|DYLD_\w+|PYTHON(?:PATH|HOME|STARTUP|BREAKPOINT|USERBASE)|PERL5(?:LIB|OPT|DB)|RUBY(?:OPT|LIB)|(?:JAVA_TOOL|_JAVA|JDK_JAVA)_OPTIONS|CLASSPATH|GIT_(?:SSH|SSH_COMMAND|EXEC_PATH|CONFIG\w*)|npm_config_(?:registry|script_shell|node_options|userconfig|globalconfig|prefix)|(?:PIP|UV)_(?:INDEX_URL|EXTRA_INDEX_URL|DEFAULT_INDEX|INDEX|FIND_LINKS)|(?:DENO|BUN)_\w+_PRELOAD)$/i;

/**
 * Whether a variable of a server is part of what is run, as its command is: who approves that must see
 * it. An address with a name and a password in it stays hidden.
 */
export function isShownVariable(name: string, value: string): boolean {
  return loaders.test(name) && !/\/\/[^/\s]*@/.test(value);
}
