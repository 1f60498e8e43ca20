import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;
export type Element = DefaultTreeAdapterTypes.Element;

/** Every element of a page as a browser's parser creates it, including the contents of templates. */
export function elementsOf(page: string): readonly Element[] {
  return nodesOf(parse(page)).filter((node): node is Element => 'tagName' in node);
}

/** All text of a page, including styles and scripts. */
export function textOf(page: string): string {
  return nodesOf(parse(page))
    .map((node) => ('value' in node ? node.value : ''))
    .join('');
}

function nodesOf(node: Node): readonly Node[] {
  const children = 'childNodes' in node ? node.childNodes : [];
  const content = 'content' in node ? nodesOf(node.content) : [];
  return [node, ...content, ...children.flatMap(nodesOf)];
}
