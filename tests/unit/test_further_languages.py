"""Definitions, calls, base classes and imports of the languages whose grammars are an extra."""

from __future__ import annotations

import os

import pytest

from bowerbird.code.edges import edges_of
from bowerbird.code.files import World
from bowerbird.code.resolve import Resolver
from bowerbird.code.syntax.outlining import outlined
from bowerbird.core.outline import MODULE

PROJECTS: dict[str, tuple[str, dict[str, str], set[tuple[str, str, str]]]] = {
    "csharp": (
        "tree_sitter_c_sharp",
        {
            "core/Item.cs": "namespace Shop.Core;\n\npublic class Base { public void Close() {} }\n"
            "public class Item : Base {\n  public const int MAX = 3;\n"
            "  public int Price() { return 1; }\n"
            "  public static Item Make() { return new Item(); }\n}\n",
            "web/Cart.cs": "using System;\nusing Shop.Core;\n\nnamespace Shop.Web {\n"
            "  public class Cart {\n    private Item item;\n"
            "    public int Total(Item a) {\n      var b = Item.Make();\n      Helper();\n"
            "      this.Helper();\n      item.Price();\n      b.Close();\n"
            "      return a.Price();\n    }\n"
            "    private void Helper() {}\n  }\n}\n",
        },
        {
            ("Item.cs:Item", "inherits", "Item.cs:Base"),
            ("Item.cs:Item.Make", "calls", "Item.cs:Item"),
            ("Cart.cs:", "imports", "Item.cs:"),
            ("Cart.cs:Cart.Total", "calls", "Item.cs:Item.Make"),
            ("Cart.cs:Cart.Total", "calls", "Item.cs:Item.Price"),
            ("Cart.cs:Cart.Total", "calls", "Item.cs:Base.Close"),
            ("Cart.cs:Cart.Total", "calls", "Cart.cs:Cart.Helper"),
        },
    ),
    "ruby": (
        "tree_sitter_ruby",
        {
            "lib/core/item.rb": "module Core\n  class Base\n    def close; end\n  end\n\n"
            "  class Item < Base\n    MAX = 3\n    def price\n      1\n    end\n\n"
            "    def self.make\n      Item.new\n    end\n  end\nend\n",
            "lib/cart.rb": 'require_relative "core/item"\n\nclass Cart\n  include Core\n\n'
            "  def total\n    a = Core::Item.new\n    a.price\n    a.close()\n    helper(1)\n"
            "    self.helper(2)\n    Core::Item.make\n  end\n\n  def helper(n)\n    n\n  end\n"
            "end\n",
        },
        {
            ("item.rb:Core.Item", "inherits", "item.rb:Core.Base"),
            ("item.rb:Core.Item.make", "calls", "item.rb:Core.Item"),
            ("cart.rb:", "imports", "item.rb:"),
            ("cart.rb:Cart", "inherits", "item.rb:Core"),
            ("cart.rb:Cart.total", "calls", "item.rb:Core.Item"),
            ("cart.rb:Cart.total", "calls", "item.rb:Core.Item.price"),
            ("cart.rb:Cart.total", "calls", "item.rb:Core.Base.close"),
            ("cart.rb:Cart.total", "calls", "item.rb:Core.Item.make"),
            ("cart.rb:Cart.total", "calls", "cart.rb:Cart.helper"),
        },
    ),
    "php": (
        "tree_sitter_php",
        {
            "src/Core/Item.php": "<?php\nnamespace Shop\\Core;\n\n"
            "class Base { public function close() {} }\n"
            "class Item extends Base {\n  const MAX = 3;\n"
            "  public function price(): int { return 1; }\n"
            "  public static function make() { return new Item(); }\n}\n",
            "lib/util.php": "<?php\nfunction util($a) { return $a; }\n",
            "src/Web/Cart.php": "<?php\nnamespace Shop\\Web;\n\nuse Shop\\Core\\Item;\n"
            "use Shop\\Core\\{Base as B};\n"
            "require_once __DIR__ . '/../../lib/util.php';\n\nclass Cart extends B {\n"
            "  private Item $item;\n  public function total(Item $a) {\n    $b = new Item();\n"
            "    $b->price();\n    $a->close();\n    $this->helper();\n    $this->item->price();\n"
            "    self::helper();\n    Item::make();\n    return util($a);\n  }\n"
            "  public function helper() {}\n}\n",
        },
        {
            ("Item.php:Item", "inherits", "Item.php:Base"),
            ("Item.php:Item.make", "calls", "Item.php:Item"),
            ("Cart.php:", "imports", "Item.php:Item"),
            ("Cart.php:", "imports", "util.php:"),
            ("Cart.php:Cart", "inherits", "Item.php:Base"),
            ("Cart.php:Cart.total", "calls", "Item.php:Item"),
            ("Cart.php:Cart.total", "calls", "Item.php:Item.price"),
            ("Cart.php:Cart.total", "calls", "Item.php:Base.close"),
            ("Cart.php:Cart.total", "calls", "Item.php:Item.make"),
            ("Cart.php:Cart.total", "calls", "Cart.php:Cart.helper"),
            ("Cart.php:Cart.total", "calls", "util.php:util"),
        },
    ),
    "kotlin": (
        "tree_sitter_kotlin",
        {
            "core/Item.kt": "package shop.core\n\nconst val MAX = 3\n\nopen class Base {\n"
            "    fun close() {}\n}\n\n"
            "class Item : Base() {\n    fun price(): Int {\n        return 1\n    }\n}\n\n"
            "fun make(): Item {\n    return Item()\n}\n",
            "web/Cart.kt": "package shop.web\n\nimport shop.core.*\nimport shop.core.Base as B\n\n"
            "class Cart(val item: Item) : B() {\n    fun total(a: Item): Int {\n"
            "        val b = Item()\n"
            "        b.price()\n        helper()\n        this.helper()\n        item.price()\n"
            "        make()\n        a.close()\n        return 1\n    }\n\n"
            "    fun helper() {}\n}\n",
        },
        {
            ("Item.kt:Item", "inherits", "Item.kt:Base"),
            ("Item.kt:make", "calls", "Item.kt:Item"),
            ("Cart.kt:", "imports", "Item.kt:Base"),
            ("Cart.kt:Cart", "inherits", "Item.kt:Base"),
            ("Cart.kt:Cart.total", "calls", "Item.kt:Item"),
            ("Cart.kt:Cart.total", "calls", "Item.kt:Item.price"),
            ("Cart.kt:Cart.total", "calls", "Item.kt:Base.close"),
            ("Cart.kt:Cart.total", "calls", "Item.kt:make"),
            ("Cart.kt:Cart.total", "calls", "Cart.kt:Cart.helper"),
        },
    ),
    "swift": (
        "tree_sitter_swift",
        {
            "Shop/Item.swift": "class Base {\n    func close() {}\n}\n\nclass Item: Base {\n"
            "    func price() -> Int { return 1 }\n"
            "    static func make() -> Item { return Item() }\n}\n\n"
            "extension Item {\n    func more() {}\n}\n",
            "Shop/Cart.swift": "import Foundation\n\nstruct Cart {\n    var item: Item\n\n"
            "    func total(a: Item) -> Int {\n        let b = Item()\n        b.price()\n"
            "        helper()\n"
            "        self.helper()\n        item.price()\n        a.close()\n        a.more()\n"
            "        Item.make()\n        return 1\n    }\n\n    func helper() {}\n}\n",
        },
        {
            ("Item.swift:Item", "inherits", "Item.swift:Base"),
            ("Item.swift:Item.make", "calls", "Item.swift:Item"),
            ("Cart.swift:Cart.total", "calls", "Item.swift:Item"),
            ("Cart.swift:Cart.total", "calls", "Item.swift:Item.price"),
            ("Cart.swift:Cart.total", "calls", "Item.swift:Base.close"),
            ("Cart.swift:Cart.total", "calls", "Item.swift:Item.more"),
            ("Cart.swift:Cart.total", "calls", "Item.swift:Item.make"),
            ("Cart.swift:Cart.total", "calls", "Cart.swift:Cart.helper"),
        },
    ),
    "scala": (
        "tree_sitter_scala",
        {
            "core/Item.scala": "package shop.core\n\nclass Base {\n  def close(): Unit = ()\n}\n\n"
            "class Item extends Base {\n  def price(): Int = 1\n}\n\nobject Items {\n"
            "  val Max = 3\n  def make(): Item = new Item()\n}\n",
            "web/Cart.scala": "package shop.web\n\nimport shop.core.{Base => B, Item, Items}\n\n"
            "class Cart(item: Item) extends B {\n  def total(a: Item): Int = {\n"
            "    val b = new Item()\n"
            "    b.price()\n    helper()\n    this.helper()\n    item.price()\n    a.close()\n"
            "    Items.make()\n    1\n  }\n\n  def helper(): Unit = ()\n}\n",
        },
        {
            ("Item.scala:Item", "inherits", "Item.scala:Base"),
            ("Item.scala:Items.make", "calls", "Item.scala:Item"),
            ("Cart.scala:", "imports", "Item.scala:Base"),
            ("Cart.scala:Cart", "inherits", "Item.scala:Base"),
            ("Cart.scala:Cart.total", "calls", "Item.scala:Item"),
            ("Cart.scala:Cart.total", "calls", "Item.scala:Item.price"),
            ("Cart.scala:Cart.total", "calls", "Item.scala:Base.close"),
            ("Cart.scala:Cart.total", "calls", "Item.scala:Items.make"),
            ("Cart.scala:Cart.total", "calls", "Cart.scala:Cart.helper"),
        },
    ),
    "lua": (
        "tree_sitter_lua",
        {
            "core/item.lua": "local M = {}\n\nfunction M.price(a)\n  return a\nend\n\n"
            "M.close = function()\n  return M.price(1)\nend\n\nreturn M\n",
            "cart.lua": 'local item = require("core.item")\n\nlocal function helper(a)\n'
            "  return a\nend\n\n"
            "function total()\n  helper(1)\n  item.price(2)\n  return item.close()\nend\n",
        },
        {
            ("cart.lua:", "imports", "item.lua:"),
            ("cart.lua:total", "calls", "cart.lua:helper"),
            ("cart.lua:total", "calls", "item.lua:M.price"),
            ("cart.lua:total", "calls", "item.lua:M.close"),
        },
    ),
    "bash": (
        "tree_sitter_bash",
        {
            "lib/util.sh": "log() {\n  echo 1\n}\n",
            "run.sh": "#!/bin/bash\nsource lib/util.sh\n\nfunction total {\n  log a\n"
            "  x=$(helper b)\n}\n\n"
            "helper() {\n  log c\n}\n\ntotal\n",
        },
        {
            ("run.sh:", "imports", "util.sh:"),
            ("run.sh:", "calls", "run.sh:total"),
            ("run.sh:total", "calls", "util.sh:log"),
            ("run.sh:total", "calls", "run.sh:helper"),
            ("run.sh:helper", "calls", "util.sh:log"),
        },
    ),
    "components": (
        "tree_sitter_typescript",
        {
            "totals.ts": "export function total(a: number[]): number {\n  return a[0];\n}\n",
            "parts/Cart.vue": '<template>\n  <Card title="é" @click="pay"/>\n</template>\n\n'
            "<script setup lang=\"ts\">\nimport Card from './Card.vue'\n"
            "import { total } from '../totals'\nfunction pay() {\n  return send()\n}\n"
            "const send = async (): Promise<number> => total([1])\n</script>\n"
            "<style>\n.card { color: red; }\n</style>\n",
            "parts/Card.vue": "<script>\nimport { total } from '../totals'\n"
            "export default { methods: { area() { return total([1]) } } }\n</script>\n",
            "parts/Row.svelte": '<script context="module">\n'
            "  export function label(x) { return `#${x}`; }\n</script>\n<p>function none() {}</p>\n"
            "<script>\n  import Cart from './Cart.vue';\n"
            "  function reset() { return label(Cart); }\n</script>\n",
        },
        {
            ("Cart.vue:", "imports", "Card.vue:"),
            ("Cart.vue:", "imports", "totals.ts:total"),
            ("Cart.vue:pay", "calls", "Cart.vue:send"),
            ("Cart.vue:send", "calls", "totals.ts:total"),
            ("Card.vue:", "imports", "totals.ts:total"),
            ("Card.vue:area", "calls", "totals.ts:total"),
            ("Row.svelte:", "imports", "Cart.vue:"),
            ("Row.svelte:reset", "calls", "Row.svelte:label"),
        },
    ),
}


def test_lines_of_a_component_are_those_of_its_file() -> None:
    read = outlined("<p>é\n</p>\n<script>\n\nfunction a() {}\n</script>\n", ".vue")
    assert read is not None
    assert [(one.name, one.start_line) for one in read[0].definitions] == [("a", 5)]


@pytest.mark.parametrize("language", PROJECTS)
def test_names_are_followed(language: str) -> None:
    wheel, files, expected = PROJECTS[language]
    pytest.importorskip(wheel)
    paths = {number: f"/project/{name}" for number, name in enumerate(files)}
    outlines = {}
    for number, (name, text) in enumerate(files.items()):
        read = outlined(text, os.path.splitext(name)[1])
        assert read is not None
        outlines[number] = read[0]
    world = World(paths, outlines.get, lambda *_: [])
    resolver = Resolver(world)

    def reported(document: int, place: int) -> str:
        name = "" if place == MODULE else outlines[document].qualified(place)
        return f"{os.path.basename(paths[document])}:{name}"

    found = set()
    for document in outlines:
        file = world.file(document)
        assert file is not None
        for one in edges_of(resolver, file, world.uses(document), guess=False):
            if one.target is not None:
                found.add((reported(document, one.source), one.kind, reported(*one.target)))
    assert expected <= found, expected - found
