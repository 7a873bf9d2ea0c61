package dev.harmovela.proto;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.EmptyProto;
import com.google.protobuf.StructProto;
import com.google.protobuf.TimestampProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads the part of the proto3 language that our published files use: messages, enums, {@code oneof}, {@code map},
 * {@code optional}, {@code repeated}, services, and imports of the well-known types. So the file that is published is
 * the one that is served, and nothing has to be generated when the product is built.
 */
final class ProtoFile {

    private static final Map<String, FileDescriptor> KNOWN = Map.of(
            "google/protobuf/empty.proto", EmptyProto.getDescriptor(),
            "google/protobuf/struct.proto", StructProto.getDescriptor(),
            "google/protobuf/timestamp.proto", TimestampProto.getDescriptor());
    private static final Map<String, FieldDescriptorProto.Type> SCALARS = Map.of(
            "string", FieldDescriptorProto.Type.TYPE_STRING,
            "bytes", FieldDescriptorProto.Type.TYPE_BYTES,
            "bool", FieldDescriptorProto.Type.TYPE_BOOL,
            "int32", FieldDescriptorProto.Type.TYPE_INT32,
            "int64", FieldDescriptorProto.Type.TYPE_INT64,
            "double", FieldDescriptorProto.Type.TYPE_DOUBLE);

    private final ProtoTokens tokens;
    private final FileDescriptorProto.Builder file;
    private final List<FileDescriptor> imports = new ArrayList<>();

    private ProtoFile(String name, String text) {
        tokens = new ProtoTokens(name, text);
        file = FileDescriptorProto.newBuilder().setName(name).setSyntax("proto3");
    }

    /**
     * What the text declares.
     *
     * @throws IllegalStateException when it is not of that part of the language
     */
    static FileDescriptor parse(String name, String text) {
        ProtoFile reader = new ProtoFile(name, text);
        reader.declarations();
        try {
            return FileDescriptor.buildFrom(reader.file.build(), reader.imports.toArray(new FileDescriptor[0]));
        } catch (DescriptorValidationException wrong) {
            throw new IllegalStateException(name + ": " + wrong.getMessage(), wrong);
        }
    }

    private void declarations() {
        while (!tokens.atEnd()) {
            String word = tokens.next();
            switch (word) {
                case "syntax" -> {
                    tokens.require("=");
                    tokens.require("\"proto3\"");
                    tokens.require(";");
                }
                case "package" -> {
                    file.setPackage(tokens.next());
                    tokens.require(";");
                }
                case "import" -> imported();
                case "message" -> file.addMessageType(message());
                case "enum" -> file.addEnumType(enumeration());
                case "service" -> file.addService(service());
                default -> throw tokens.unexpected(word);
            }
        }
    }

    private void imported() {
        String name = tokens.next().replace("\"", "");
        FileDescriptor known = KNOWN.get(name);
        if (known == null) {
            throw tokens.unexpected(name);
        }
        imports.add(known);
        file.addDependency(name);
        tokens.require(";");
    }

    private DescriptorProto message() {
        DescriptorProto.Builder message = DescriptorProto.newBuilder().setName(tokens.next());
        List<String> optional = new ArrayList<>();
        tokens.require("{");
        for (String word = tokens.next(); !word.equals("}"); word = tokens.next()) {
            switch (word) {
                case "oneof" -> oneof(message);
                case "map" -> map(message);
                case "repeated" -> message.addField(field(tokens.next(), FieldDescriptorProto.Label.LABEL_REPEATED));
                case "optional" -> {
                    FieldDescriptorProto field = field(tokens.next(), FieldDescriptorProto.Label.LABEL_OPTIONAL);
                    optional.add(field.getName());
                    message.addField(field);
                }
                default -> message.addField(field(word, FieldDescriptorProto.Label.LABEL_OPTIONAL));
            }
        }
        presence(message, optional);
        return message.build();
    }

    /** A field with presence is the only member of a {@code oneof} that nobody wrote, behind the written ones. */
    private static void presence(DescriptorProto.Builder message, List<String> optional) {
        for (FieldDescriptorProto.Builder field : message.getFieldBuilderList()) {
            if (optional.contains(field.getName())) {
                field.setProto3Optional(true).setOneofIndex(message.getOneofDeclCount());
                message.addOneofDecl(OneofDescriptorProto.newBuilder().setName("_" + field.getName()));
            }
        }
    }

    private void oneof(DescriptorProto.Builder message) {
        int index = message.getOneofDeclCount();
        message.addOneofDecl(OneofDescriptorProto.newBuilder().setName(tokens.next()));
        tokens.require("{");
        for (String type = tokens.next(); !type.equals("}"); type = tokens.next()) {
            message.addField(field(type, FieldDescriptorProto.Label.LABEL_OPTIONAL).toBuilder()
                    .setOneofIndex(index));
        }
    }

    private void map(DescriptorProto.Builder message) {
        tokens.require("<");
        String key = tokens.next();
        tokens.require(",");
        String value = tokens.next();
        tokens.require(">");
        FieldDescriptorProto named = field("string", FieldDescriptorProto.Label.LABEL_REPEATED);
        String entry = camel(named.getName()) + "Entry";
        message.addNestedType(DescriptorProto.newBuilder()
                .setName(entry)
                .setOptions(MessageOptions.newBuilder().setMapEntry(true))
                .addField(typed(key).setName("key").setNumber(1).setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL))
                .addField(typed(value)
                        .setName("value")
                        .setNumber(2)
                        .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)));
        message.addField(named.toBuilder()
                .setType(FieldDescriptorProto.Type.TYPE_MESSAGE)
                .setTypeName(message.getName() + "." + entry));
    }

    private static String camel(String name) {
        StringBuilder camel = new StringBuilder();
        for (String word : name.split("_", -1)) {
            camel.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
        }
        return camel.toString();
    }

    private FieldDescriptorProto field(String type, FieldDescriptorProto.Label label) {
        FieldDescriptorProto.Builder field = typed(type).setLabel(label).setName(tokens.next());
        tokens.require("=");
        field.setNumber(tokens.number());
        tokens.require(";");
        return field.build();
    }

    /** A type that is not built in is found by its name when the file is put together. */
    private static FieldDescriptorProto.Builder typed(String type) {
        FieldDescriptorProto.Builder field = FieldDescriptorProto.newBuilder();
        FieldDescriptorProto.Type scalar = SCALARS.get(type);
        return scalar == null ? field.setTypeName(type) : field.setType(scalar);
    }

    private EnumDescriptorProto enumeration() {
        EnumDescriptorProto.Builder all = EnumDescriptorProto.newBuilder().setName(tokens.next());
        tokens.require("{");
        for (String name = tokens.next(); !name.equals("}"); name = tokens.next()) {
            tokens.require("=");
            all.addValue(EnumValueDescriptorProto.newBuilder().setName(name).setNumber(tokens.number()));
            tokens.require(";");
        }
        return all.build();
    }

    private ServiceDescriptorProto service() {
        ServiceDescriptorProto.Builder service =
                ServiceDescriptorProto.newBuilder().setName(tokens.next());
        tokens.require("{");
        for (String word = tokens.next(); !word.equals("}"); word = tokens.next()) {
            if (!word.equals("rpc")) {
                throw tokens.unexpected(word);
            }
            MethodDescriptorProto.Builder method =
                    MethodDescriptorProto.newBuilder().setName(tokens.next());
            tokens.require("(");
            method.setClientStreaming(tokens.skip("stream"));
            method.setInputType(tokens.next());
            tokens.require(")");
            tokens.require("returns");
            tokens.require("(");
            method.setServerStreaming(tokens.skip("stream"));
            method.setOutputType(tokens.next());
            tokens.require(")");
            tokens.require(";");
            service.addMethod(method);
        }
        return service.build();
    }
}
