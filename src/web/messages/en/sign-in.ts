/** Texts of the page in English: sign in. */
export const signIn = {
  title: 'Sign in to Cerise',
  text: 'Open the sign-in link that Cerise printed in the terminal when it started.',
  used: 'This link has expired or was already used. Each link works once, for 10 minutes.',
  again: 'Need a new link? Run “{command} sign-in” on the machine that runs Cerise.',
  reload: 'Reload',
  name: 'Username',
  password: 'Password',
  submit: 'Sign in',
  wrong: 'Incorrect username or password.',
  slow: 'Too many attempts. Try again in a few minutes.',
  oidc: 'Continue with {name}',
  oidcFailed: 'Sign-in wasn’t completed. Try again.',
  forgotten: 'Forgot your password? Ask an admin to reset it.',
};
