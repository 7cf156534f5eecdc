export default {
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'promise', 'node'],
  options: { denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  categories: { correctness: 'error', suspicious: 'error' },
  ignorePatterns: ['**/dist/**', '**/fixtures/**', '**/test-results/**', '/site/**'],
  rules: {
    eqeqeq: 'error',
    'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
    'no-console': 'error',
    'no-eval': 'error',
    'no-param-reassign': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-named-as-default-member': 'off',
    // Styles are imported for their side effects.
    'import/no-unassigned-import': 'off',
    // A rule for Express; Fastify awaits its handlers.
    'oxc/no-async-endpoint-handlers': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/prefer-add-event-listener': 'off',
    'typescript/ban-ts-comment': 'error',
    // The compiler checks this, and knows exhaustive switches.
    'typescript/consistent-return': 'off',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-unsafe-argument': 'error',
    'typescript/no-unsafe-assignment': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-member-access': 'error',
    'typescript/no-unsafe-return': 'error',
    // Rare casts that TypeScript can't check; reviews do.
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/only-throw-error': 'error',
    'typescript/prefer-promise-reject-errors': 'error',
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
    'typescript/switch-exhaustiveness-check': 'error',
    // The project's parts are objects of functions without `this`, taken apart where they are used.
    'typescript/unbound-method': 'off',
  },
  overrides: [
    {
      files: ['server/src/**', 'shared/src/**', 'web/src/**'],
      rules: { 'max-lines-per-function': ['error', { max: 100, skipBlankLines: true, skipComments: true }] },
    },
    {
      files: ['web/src/**'],
      plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'promise', 'react', 'jsx-a11y'],
      rules: {
        'react/exhaustive-deps': 'error',
        'react/rules-of-hooks': 'error',
        'react/react-in-jsx-scope': 'off',
        // A rule for the React Compiler, which is not used.
        'react/incompatible-library': 'off',
        // A scrolling region must be focusable, or the keyboard cannot scroll it.
        'jsx-a11y/no-noninteractive-tabindex': ['error', { roles: ['log', 'region', 'tabpanel'] }],
        // A list without bullets stays a list for VoiceOver only with an explicit role; an svg can be an image.
        'jsx-a11y/no-redundant-roles': 'off',
        'jsx-a11y/prefer-tag-over-role': 'off',
        // Some effects answer to a change that they do not read.
        'react/exhaustive-effect-dependencies': 'off',
      },
    },
    {
      files: ['e2e/**', 'bench/**'],
      rules: {
        // Playwright's fixtures that need no other take `{}`; the bench prints its table.
        'no-empty-pattern': 'off',
        'no-console': 'off',
      },
    },
    {
      files: ['scripts/**/*.mjs'],
      rules: {
        // Plain JavaScript: what JSON.parse gives is narrowed by JSDoc.
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-return': 'off',
      },
    },
    {
      files: ['**/*.test.ts', '**/*.test.tsx'],
      plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'promise', 'node', 'vitest'],
      rules: {
        // expect.any() and its kind are of type any.
        'typescript/no-unsafe-assignment': 'off',
      },
    },
  ],
}
