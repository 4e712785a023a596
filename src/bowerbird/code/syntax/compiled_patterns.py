"""The patterns by which definitions and uses of names are found in Go, Rust, Java, C and C++."""

from bowerbird.core.value import Record


class Rules(Record):
    """The patterns of one language: those for definitions, and those for uses of names."""

    defined: str
    said: str


_CALLED = "(call_expression function: (_) @called)\n"
_GO = Rules(
    """
(function_declaration name: (_) @name) @function
(method_declaration name: (_) @name) @method
(type_declaration (type_spec name: (_) @name) @class)
(source_file (const_declaration (const_spec name: (_) @name) @constant))
(source_file (var_declaration (var_spec name: (_) @name) @constant))
(source_file (var_declaration (var_spec_list (var_spec name: (_) @name) @constant)))
""",
    _CALLED
    + """
(import_spec) @import
(package_clause (package_identifier) @package)
(short_var_declaration left: (expression_list . (identifier) @left .)
    right: (expression_list . (_) @right .))
(parameter_declaration type: (_) @type) @names
(var_spec type: (_) @type) @names
(field_declaration name: (_) type: (_) @type) @names @field
(field_declaration !name type: (_) @base)
""",
)
_RUST = Rules(
    """
(function_item name: (_) @name) @function
(function_signature_item name: (_) @name) @function
(struct_item name: (_) @name) @class
(enum_item name: (_) @name) @class
(enum_variant name: (_) @name) @constant
(trait_item name: (_) @name) @class
(union_item name: (_) @name) @class
(mod_item name: (_) @name body: (_)) @module
(impl_item type: (_) @name) @impl
(const_item name: (_) @name) @constant
(static_item name: (_) @name) @constant
(type_item name: (_) @name) @constant
(macro_definition name: (_) @name) @function
""",
    _CALLED
    + """
(use_declaration argument: (_) @use)
(mod_item name: (_) @mod !body)
(let_declaration pattern: (identifier) @left value: (_) @right)
(let_declaration pattern: (identifier) @left type: (_) @type)
(parameter pattern: (identifier) @left type: (_) @type)
(field_declaration name: (_) @left type: (_) @type) @field
(impl_item trait: (_) @base)
(macro_invocation macro: (_) @called)
""",
)
_JAVA = Rules(
    """
(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @method
(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(annotation_type_declaration name: (_) @name) @class
(enum_constant name: (_) @name) @constant
(field_declaration declarator: (variable_declarator name: (_) @name)) @constant
""",
    """
(import_declaration) @import
(package_declaration [(scoped_identifier) (identifier)] @package)
(method_invocation) @invoked
(object_creation_expression type: (_) @called)
(superclass (_) @base)
(super_interfaces (type_list (_) @base))
(extends_interfaces (type_list (_) @base))
(local_variable_declaration type: (_) @type declarator: (variable_declarator name: (_) @left))
(formal_parameter type: (_) @type name: (_) @left)
(field_declaration type: (_) @type declarator: (variable_declarator name: (_) @left)) @field
(local_variable_declaration type: (type_identifier) @inferred
    declarator: (variable_declarator name: (_) @left value: (_) @right))
""",
)
_C = Rules(
    """
(function_definition declarator: (_) @name) @function
(struct_specifier name: (_) @name body: (_)) @class
(union_specifier name: (_) @name body: (_)) @class
(enum_specifier name: (_) @name body: (_)) @class
(type_definition declarator: (type_identifier) @name) @constant
(preproc_def name: (_) @name) @constant
(preproc_function_def name: (_) @name) @function
""",
    _CALLED
    + """
(preproc_include path: (_) @include)
(declaration type: (_) @type declarator: (_) @left)
(parameter_declaration type: (_) @type declarator: (_) @left)
(field_declaration type: (_) @type declarator: (_) @left) @field
""",
)
_CPP = Rules(
    _C.defined
    + """
(class_specifier name: (_) @name body: (_)) @class
(namespace_definition name: (_) @name) @module
(field_declaration declarator: (function_declarator) @name default_value: (_)) @method
(field_declaration declarator: (_ (function_declarator) @name) default_value: (_)) @method
""",
    _C.said
    + """
(for_range_loop type: (_) @type declarator: (_) @left)
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base)
(new_expression type: (_) @called)
""",
)
RULES = {"go": _GO, "rust": _RUST, "java": _JAVA, "c": _C, "cpp": _CPP}
