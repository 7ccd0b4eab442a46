// Oxlint has the other rules (.oxlintrc.json); these are the ones that it does not know.
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

export default [
  {
    files: ["app/**/*.tsx"],
    languageOptions: { parser: tseslint.parser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    ...reactHooks.configs.flat.recommended,
  },
  {
    files: ["app/**/*.tsx"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector: "JSXAttribute[name.name='download']",
          message: "A browser would save a refusal as the file: DownloadLink, and an answer with Content-Disposition.",
        },
      ],
    },
  },
];
