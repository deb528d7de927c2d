/** What an OpenAPI document says, in the order and words of a reference. The page and docs/rest.md are made of it. */
export interface Reference {
  readonly title: string;
  readonly description: string;
  /** Headers that requests take. */
  readonly headers: readonly Field[];
  readonly groups: readonly { readonly name: string; readonly operations: readonly Operation[] }[];
  /** Bodies and their parts, by name. */
  readonly schemas: readonly SchemaText[];
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string | undefined;
  /** Of path and query, the ones that it alone has. */
  readonly parameters: readonly Field[];
  /** Names of the headers that it reads besides those that say whose memory it is and who calls. */
  readonly headers: readonly string[];
  readonly body: Content | undefined;
  readonly answer: Content;
}

export interface Content {
  readonly mediaType: string;
  readonly type: string;
  readonly description: string | undefined;
  /** JSON. */
  readonly example: string | undefined;
}

export interface SchemaText {
  readonly name: string;
  readonly description: string | undefined;
  readonly fields: readonly Field[];
  /** Of one that is no object with properties. */
  readonly type: string | undefined;
}

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** What of OpenAPI 3.1 is read here. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly description?: string };
  readonly tags?: readonly { readonly name: string }[];
  readonly paths?: Readonly<Record<string, Readonly<Record<string, PathOperation>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
}

interface PathOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: MediaTypes };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: MediaTypes }>
  >;
}

type MediaTypes = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly example?: unknown;
}

export function referenceOf(document: OpenApiDocument): Reference {
  const { schemas = {}, parameters = {} } = document.components ?? {};
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0] ?? "",
      operation: operationOf(method, path, operation, parameters, schemas),
    })),
  );
  return {
    title: document.info.title,
    description: document.info.description ?? "",
    headers: Object.values(parameters).map(fieldOf),
    groups: (document.tags ?? []).map(({ name }) => ({
      name,
      operations: operations.filter(({ tag }) => tag === name).map(({ operation }) => operation),
    })),
    schemas: Object.entries(schemas)
      .map(([name, schema]) => schemaText(name, schema))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

function operationOf(
  method: string,
  path: string,
  operation: PathOperation,
  shared: Readonly<Record<string, Parameter>>,
  schemas: Readonly<Record<string, Schema>>,
): Operation {
  const all = (operation.parameters ?? []).map((parameter) =>
    "$ref" in parameter ? (shared[lastPart(parameter.$ref)] as Parameter) : parameter,
  );
  const { 200: ok } = operation.responses;
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description,
    parameters: all.filter((parameter) => parameter.in !== "header").map(fieldOf),
    headers: all
      .filter((parameter) => parameter.in === "header" && !parameter.name.startsWith("X-"))
      .map(({ name }) => name),
    body: operation.requestBody && contentOf(operation.requestBody.content, undefined, schemas),
    answer: contentOf(ok?.content ?? {}, ok?.description, schemas),
  };
}

function fieldOf({ name, required = false, description = "", schema = {} }: Parameter): Field {
  return { name, type: typeText(schema), required, description };
}

function contentOf(
  content: MediaTypes,
  description: string | undefined,
  schemas: Readonly<Record<string, Schema>>,
): Content {
  const [[mediaType, { schema = {} }] = ["", {}]] = Object.entries(content);
  const named = schema.$ref === undefined ? schema : (schemas[lastPart(schema.$ref)] ?? {});
  const example = named.example === undefined ? undefined : JSON.stringify(named.example);
  return { mediaType, type: typeText(schema), description, example };
}

function schemaText(name: string, schema: Schema): SchemaText {
  const { description, properties, required = [] } = schema;
  const fields = Object.entries(properties ?? {}).map(([field, value]) => ({
    name: field,
    type: typeText(value),
    required: required.includes(field),
    description: value.description ?? value.allOf?.find((part) => part.description)?.description ?? "",
  }));
  return { name, description, fields, type: properties === undefined ? typeText(schema) : undefined };
}

/** A type as a reader wants it: "Signal[]", "1 to 100", "`a` or `b`". */
function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return lastPart(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const parts = schema.anyOf ?? schema.allOf?.filter(({ $ref }) => $ref !== undefined);
  if (parts !== undefined && parts.length > 0) return parts.map(typeText).join(" | ");
  if (schema.items !== undefined) {
    const item = typeText(schema.items);
    return item.includes(" ") ? `(${item})[]` : `${item}[]`;
  }
  const { type = "any", minimum, maximum } = schema;
  const name = typeof type === "string" ? type : type.join(" | ");
  const bounded = minimum !== undefined && maximum !== undefined && maximum < 1e15;
  return bounded ? `${name}, ${minimum} to ${maximum}` : name;
}

function lastPart(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}
