import { Config } from "./config.ts";
import { aboutOf, type ConfigKey, type ConfigOptions, configKeys, defaultOf } from "./config-keys.ts";

/** Columns of a line of comment. */
const width = 100;

/**
 * The text of a config.yaml that has the given values, and every other key as a comment with its default.
 *
 * @throws as `new Config`
 */
export function configYaml(options: ConfigOptions = {}): string {
  new Config(options);
  const keys = Object.keys(configKeys) as ConfigKey[];
  const entries = keys.map((key) => {
    const value = options[key];
    // JSON is YAML, and nothing behind a key is its default.
    const line =
      value === undefined
        ? `# ${key}: ${JSON.stringify(defaultOf(key)) ?? ""}`.trimEnd()
        : `${key}: ${JSON.stringify(value)}`;
    return `${comment(aboutOf(key))}\n${line}\n`;
  });
  const head =
    "# What is commented out has the value shown. Changes take effect when the service starts again.\n";
  return [head, ...entries].join("\n");
}

function comment(text: string): string {
  const lines: string[] = [];
  let line = "#";
  for (const word of `${text}.`.split(" ")) {
    if (line.length + 1 + word.length > width) {
      lines.push(line);
      line = "#";
    }
    line += ` ${word}`;
  }
  return [...lines, line].join("\n");
}
